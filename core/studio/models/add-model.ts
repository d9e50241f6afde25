// An operator adds a model, or replaces the one of the same slug.
import { z } from "zod";
import { AppError, type Issue } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { MODALITIES } from "../../../proto/resources/job.ts";
import { type Fallback, type ModelDoc, PRICE_UNITS } from "../../kernel/definitions.ts";
import type { App } from "../../kernel/app.ts";
import { checkParamsSchema } from "./params.ts";
import { MAX_CREDITS_PER_UNIT } from "./rules.ts";
import { putModel } from "./store.ts";

const MAX_PROMPT_LENGTH = 4_000;
const MAX_OPTIONS_CHARACTERS = 16_384;
const MAX_FALLBACKS = 3;
/** Where a model goes in lists when the operator does not say. */
const ORDER_OF_NEW = 1_000;

const text = (max: number) => z.string().trim().min(1).max(max);

const options = () =>
  z
    .record(z.string(), z.unknown())
    .refine((given) => JSON.stringify(given).length <= MAX_OPTIONS_CHARACTERS, {
      error: `must be at most ${MAX_OPTIONS_CHARACTERS} characters`,
    })
    .default({});

const addModelSchema = z.strictObject({
  model_slug: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens"),
  name: text(100),
  modality: z.enum(MODALITIES),
  description: text(1_000),
  credits: z.number().int().min(1).max(MAX_CREDITS_PER_UNIT),
  per: z.enum(PRICE_UNITS),
  estimated_seconds: z.number().positive().max(86_400),
  max_prompt_length: z.number().int().min(1).max(MAX_PROMPT_LENGTH),
  params_schema: z.record(z.string(), z.unknown()),
  provider: text(100),
  provider_model: text(200),
  run_timeout_ms: z.number().int().min(1_000).max(86_400_000),
  provider_options: options(),
  fallbacks: z
    .array(z.strictObject({ provider: text(100), provider_model: text(200), provider_options: options() }))
    .max(MAX_FALLBACKS)
    .default([]),
  order: z.number().int().optional(),
});

export type AddModelInput = z.input<typeof addModelSchema>;

/** Stores it as live. Throws invalid_request with every field that is wrong. */
export async function addModel(
  app: Pick<App, "mongo" | "clock" | "providers">,
  input: AddModelInput,
): Promise<ModelDoc> {
  const { model_slug, params_schema, order, fallbacks, ...rest } = parseRequest(addModelSchema, input);
  const issues: Issue[] = [
    ...checkParamsSchema(params_schema, rest.per),
    ...routeIssues([rest, ...fallbacks], app.providers),
  ];
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
  const now = app.clock.now();
  const model = {
    _id: model_slug,
    ...rest,
    ...(fallbacks.length > 0 && { fallbacks }),
    params_schema_json: JSON.stringify(params_schema),
    status: "live" as const,
    created_at: now,
    updated_at: now,
  };
  return putModel(app.mongo.db, model, { ifNew: ORDER_OF_NEW, ...(order !== undefined && { fixed: order }) });
}

/** Each of them goes to a provider that is set up here, and no two to the same model: that would fail the same way. */
function routeIssues(
  routes: readonly Pick<Fallback, "provider" | "provider_model">[],
  providers: App["providers"],
): Issue[] {
  return routes.flatMap(({ provider, provider_model }, i) => {
    const path = i === 0 ? "provider" : `fallbacks.${i - 1}.provider`;
    if (!providers.has(provider))
      return [{ path, message: `must be a configured provider: ${[...providers.keys()].join(", ")}` }];
    const isKnown = routes
      .slice(0, i)
      .some((route) => route.provider === provider && route.provider_model === provider_model);
    return isKnown ? [{ path, message: "is asked for the same model before" }] : [];
  });
}
