// atelier model list | add | retire
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import type { AddModelRequest } from "../../proto/types/atelier/v1/AddModelRequest.ts";
import type { Model } from "../../proto/types/atelier/v1/Model.ts";
import { UsageError } from "../failure.ts";
import { count, fields, table } from "../layout.ts";
import type { Cli } from "../session.ts";

/** Only the shape, which the wire needs; core checks the values and names every wrong one. */
const modelFileSchema = z.strictObject({
  model_slug: z.string(),
  name: z.string(),
  modality: z.string(),
  description: z.string(),
  credits: z.int(),
  per: z.string(),
  estimated_seconds: z.number(),
  max_prompt_length: z.int32(),
  params_schema: z.record(z.string(), z.unknown()),
  provider: z.string(),
  provider_model: z.string(),
  run_timeout_seconds: z.int32(),
  provider_options: z.record(z.string(), z.unknown()).default({}),
  // So that what `model list --json` prints can be given back; a retired model is added and retired again.
  status: z.enum(["live", "retired"]).default("live"),
});
type ModelFile = z.output<typeof modelFileSchema>;

export function addModelCommands(program: Command, cli: Cli): void {
  const model = program.command("model").description("list models, add and retire them");

  model
    .command("list")
    .description("list the models, retired ones too; with --json as model add takes them")
    .addOption(
      new Option("--modality <modality>", "only these")
        .choices(["image", "video", "audio"])
        .default("", "all"),
    )
    .action(async ({ modality }: { modality: string }) => {
      const { models, definitions } = await cli.withCore((core) => core.admin.ListAllModels({ modality }));
      cli.show(
        definitions.map(toModelFile),
        table([
          ["MODEL", "NAME", "MODALITY", "PRICE", "STATUS", "PROVIDER"],
          ...models.map((row) => [
            row.model_slug,
            row.name,
            row.modality,
            price(row),
            row.status,
            row.provider,
          ]),
        ]),
      );
    });

  model
    .command("add <file>")
    .description("add models, or replace those of the same slug, from a JSON file (- for standard input)")
    .addHelpText(
      "after",
      `\nThe file is one JSON object, or a list of them, with the fields: ${Object.keys(modelFileSchema.shape).join(", ")}.`,
    )
    .action(async (file: string) => {
      const { isList, models } = readModelFile(file);
      const added = await cli.withCore(async (core) => {
        const done: Model[] = [];
        for (const one of models) done.push(await addOne(core, one));
        return done;
      });
      cli.show(isList ? added : added[0], added.map(describeModel).join("\n\n"));
    });

  model
    .command("retire <model_slug>")
    .description("take a model out of the catalog; jobs accepted before still run")
    .action(async (slug: string) => {
      const retired = await cli.withCore((core) => core.admin.RetireModel({ model_slug: slug }));
      cli.show(retired, describeModel(retired));
    });
}

async function addOne(core: CoreClient, { status, ...file }: ModelFile): Promise<Model> {
  const { provider_model, run_timeout_seconds, provider_options, params_schema, ...model } = file;
  const added = await core.admin.AddModel({
    model: { ...model, params_schema_json: JSON.stringify(params_schema) },
    provider_model,
    run_timeout_seconds,
    provider_options_json: JSON.stringify(provider_options),
  });
  return status === "live" ? added : core.admin.RetireModel({ model_slug: added.model_slug });
}

/** One model as the file of `model add` describes it. */
function toModelFile({ model, provider_options_json, ...rest }: AddModelRequest): ModelFile {
  if (!model) throw new Error("core described no model");
  const { params_schema_json, status, ...own } = model;
  return {
    ...own,
    params_schema: JSON.parse(params_schema_json) as Record<string, unknown>,
    ...rest,
    provider_options: JSON.parse(provider_options_json) as Record<string, unknown>,
    status: status === "retired" ? "retired" : "live",
  };
}

function readModelFile(file: string): { isList: boolean; models: ModelFile[] } {
  let content: unknown;
  try {
    // 0 is standard input.
    content = JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not valid JSON: ${error.message}`);
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const isList = Array.isArray(content);
  const parsed = z.array(modelFileSchema).safeParse(isList ? content : [content]);
  if (parsed.success) return { isList, models: parsed.data };
  const faults = parsed.error.issues.map(({ path, message }) => {
    const where = isList ? path : path.slice(1);
    return `${where.join(".") || "the file"}: ${message}`;
  });
  throw new UsageError(`${file} does not describe a model. ${faults.join("; ")}`);
}

function describeModel(model: Model): string {
  return fields([
    ["model", model.model_slug],
    ["name", model.name],
    ["modality", model.modality],
    ["price", price(model)],
    ["status", model.status],
    ["provider", model.provider],
  ]);
}

function price({ credits, per }: Model): string {
  return `${count(credits)} per ${per}`;
}
