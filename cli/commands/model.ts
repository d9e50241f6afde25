// atelier model list | add | pause | resume | retire
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage, toMessage } from "../../proto/codec.ts";
import {
  costSchema,
  modelDefinitionSchema,
  type ModelResource,
  modelSchema,
} from "../../proto/resources/model.ts";
import {
  pricedBySchema,
  priceInWords,
  priceRuleSchema,
  pricingOf,
  pricingSchema,
  ruleInWords,
  UNIT_WORDS,
} from "../../proto/resources/pricing.ts";
import type { AddModelRequest } from "../../proto/types/atelier/v1/AddModelRequest.ts";
import type { Model } from "../../proto/types/atelier/v1/Model.ts";
import { UsageError } from "../failure.ts";
import { type Columns, count, fields, listing } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

const costFileSchema = z.strictObject({ ...costSchema.shape, rules: costSchema.shape.rules.default([]) });

/** A definition with the model's own fields next to the others. Core checks the values and names every wrong one. */
const modelFileSchema = z.strictObject({
  ...modelSchema.shape,
  ...modelDefinitionSchema.omit({ model: true }).shape,
  // Exactly one of both: what every unit costs, or what it costs by params.
  credits: modelSchema.shape.credits.optional(),
  per: modelSchema.shape.per.optional(),
  pricing: z
    .strictObject({
      ...pricingSchema.shape,
      version: pricingSchema.shape.version.default(1),
      rules: z.array(z.strictObject(priceRuleSchema.shape)).default([]),
    })
    .optional(),
  max_prompt_length: z.int32(),
  provider_options: modelDefinitionSchema.shape.provider_options.default({}),
  cost: costFileSchema.optional(),
  fallbacks: z
    .array(
      z.strictObject({
        provider: z.string(),
        provider_model: z.string(),
        provider_options: z.record(z.string(), z.unknown()).default({}),
        cost: costFileSchema.optional(),
      }),
    )
    .optional(),
  // This accepts what `model list --json` prints; a model that is not live is added and then gets that state again.
  status: modelSchema.shape.status.default("live"),
});
type ModelFile = z.output<typeof modelFileSchema>;

export function addModelCommands(program: Command, cli: Cli): void {
  const model = program.command("model").description("list, add, pause and retire models");

  model
    .command("list")
    .description("list all models; with --json in the form that model add accepts")
    .addOption(
      new Option("--modality <modality>", "only these")
        .choices(["image", "video", "audio"])
        .default("", "all"),
    )
    .action(async ({ modality }: { modality: string }) => {
      const { models, definitions } = await cli.withCore((core) => core.admin.ListAllModels({ modality }));
      const columns: Columns<Model> = {
        MODEL: "model_slug",
        NAME: "name",
        MODALITY: "modality",
        PRICE: priceOf,
        STATUS: "status",
        PROVIDER: "provider",
      };
      cli.show(definitions.map(toModelFile), listing(models, columns));
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

  addPriceCommand(model, cli);

  model
    .command("retire <model_slug>")
    .description("remove a model from the catalog; accepted jobs still run")
    .action((slug: string) =>
      cli.report((core) => core.admin.RetireModel({ model_slug: slug }), describeModel),
    );

  model
    .command("pause <model_slug>")
    .description("accept no jobs for a model; waiting jobs wait, running jobs continue")
    .action((slug: string) =>
      cli.report((core) => core.admin.PauseModel({ model_slug: slug }), describeModel),
    );

  model
    .command("resume <model_slug>")
    .description("accept and run jobs of a paused model again")
    .action((slug: string) =>
      cli.report((core) => core.admin.ResumeModel({ model_slug: slug }), describeModel),
    );
}

function addPriceCommand(model: Command, cli: Cli): void {
  model
    .command("price <model_slug>")
    .description("show what a generation costs, and the rule that gives the price")
    .addOption(new Option("--params <json>", "params of the generation").default("{}", "none"))
    .option("--characters <n>", "length of the prompt; the model's longest by default", wholeNumber, 0)
    .action(async (slug: string, { params, characters }: { params: string; characters: number }) => {
      const request = { model_slug: slug, params_json: params, characters };
      const priced = await cli.withCore((core) => core.admin.GetModelPrice(request));
      const { credits, matching, priced_by } = priced;
      const by = priced_by && fromMessage(pricedBySchema, priced_by);
      const others = matching.slice(1).join(", ");
      cli.show(
        { credits, priced_by: by, matching },
        fields([
          ["credits", count(credits)],
          ["units", by ? `${by.units} × ${UNIT_WORDS[by.unit]} for ${count(by.credits)} each` : ""],
          ["rule", by?.when ? `${matching[0]}: ${ruleInWords(by.when)}` : "default"],
          ["also fit", others === "" ? undefined : `${others}: the first that fits applies`],
          ["pricing version", String(by?.version ?? 1)],
        ]),
      );
    });
}

async function addOne(core: CoreClient, file: ModelFile): Promise<Model> {
  const { provider_model, run_timeout_seconds, provider_options, cost, fallbacks, ...model } = file;
  const definition = {
    // Core reads an empty unit as no unit; a message cannot leave it out.
    model: model as ModelResource,
    provider_model,
    run_timeout_seconds,
    provider_options,
    ...(cost && { cost }),
    ...(fallbacks && { fallbacks }),
  };
  const added = await core.admin.AddModel(toMessage(modelDefinitionSchema, definition));
  const { model_slug } = added;
  if (model.status === "paused") return core.admin.PauseModel({ model_slug });
  return model.status === "retired" ? core.admin.RetireModel({ model_slug }) : added;
}

/** One model in the form of the file for `model add`. */
function toModelFile(definition: AddModelRequest): ModelFile {
  const { model, ...rest } = fromMessage(modelDefinitionSchema, definition);
  return { ...model, ...rest };
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
    ["price", priceOf(model)],
    ["status", model.status],
    ["provider", model.provider],
  ]);
}

function priceOf(model: Model): string {
  return priceInWords(pricingOf(fromMessage(modelSchema, model)));
}
