// atelier model list | add | retire
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { AddModelRequestInput } from "../../proto/types/atelier/v1/AddModelRequest.ts";
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
});

export function addModelCommands(program: Command, cli: Cli): void {
  const model = program.command("model").description("list models, add and retire them");

  model
    .command("list")
    .description("list the models, retired ones too")
    .addOption(
      new Option("--modality <modality>", "only these")
        .choices(["image", "video", "audio"])
        .default("", "all"),
    )
    .action(async ({ modality }: { modality: string }) => {
      const { models } = await cli.withCore((core) => core.admin.ListAllModels({ modality }));
      cli.show(
        models,
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
    .description("add a model, or replace the one of the same slug, from a JSON file (- for standard input)")
    .addHelpText(
      "after",
      `\nThe file is one JSON object with the fields: ${Object.keys(modelFileSchema.shape).join(", ")}.`,
    )
    .action(async (file: string) => {
      const request = readModelFile(file);
      showModel(cli, await cli.withCore((core) => core.admin.AddModel(request)));
    });

  model
    .command("retire <model_slug>")
    .description("take a model out of the catalog; jobs accepted before still run")
    .action(async (slug: string) => {
      showModel(cli, await cli.withCore((core) => core.admin.RetireModel({ model_slug: slug })));
    });
}

function readModelFile(file: string): AddModelRequestInput {
  let content: unknown;
  try {
    // 0 is standard input.
    content = JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not valid JSON: ${error.message}`);
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const parsed = modelFileSchema.safeParse(content);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `${path.join(".") || "the file"}: ${message}`,
    );
    throw new UsageError(`${file} does not describe a model. ${faults.join("; ")}`);
  }
  const { provider_model, run_timeout_seconds, provider_options, params_schema, ...model } = parsed.data;
  return {
    model: { ...model, params_schema_json: JSON.stringify(params_schema) },
    provider_model,
    run_timeout_seconds,
    provider_options_json: JSON.stringify(provider_options),
  };
}

function showModel(cli: Cli, model: Model): void {
  cli.show(
    model,
    fields([
      ["model", model.model_slug],
      ["name", model.name],
      ["modality", model.modality],
      ["price", price(model)],
      ["status", model.status],
      ["provider", model.provider],
    ]),
  );
}

function price({ credits, per }: Model): string {
  return `${count(credits)} per ${per}`;
}
