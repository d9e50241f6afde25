// An operator adds a model, or replaces the one of the same slug.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { AppError, invalidField, type Issue } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { MODALITIES } from "../../../proto/resources/job.ts";
import {
  MAX_CREDITS_PER_UNIT,
  PRICE_UNITS,
  type Pricing,
  pricingOf,
} from "../../../proto/resources/pricing.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { Fallback, ModelDoc, RouteCost } from "../../kernel/definitions.ts";
import { toMicros } from "../costs/rules.ts";
import { checkParamsSchema, checkPriceList } from "./params.ts";
import { lowestPrice } from "./pricing-rules.ts";
import { findModel, putModel } from "./store.ts";

const MAX_PROMPT_LENGTH = 4_000;
const MAX_OPTIONS_CHARACTERS = 16_384;
const MAX_FALLBACKS = 3;
const MAX_RULES = 100;
/** Of any currency; with the units of a generation it keeps every cost exact to a millionth. */
const MAX_COST_PER_UNIT = 1_000;
/** The order of a model in lists when the operator gives none. */
const ORDER_OF_NEW = 1_000;

const text = (max: number) => z.string().trim().min(1).max(max);

const options = () =>
  z
    .record(z.string(), z.unknown())
    .refine((given) => JSON.stringify(given).length <= MAX_OPTIONS_CHARACTERS, {
      error: `must be at most ${MAX_OPTIONS_CHARACTERS} characters`,
    })
    .default({});

const creditsPerUnit = z.number().int().min(0).max(MAX_CREDITS_PER_UNIT);
const scalar = z.unknown().refine((value) => ["string", "number", "boolean"].includes(typeof value), {
  error: "must be a string, a number, true or false",
});

const amount = z.number().min(0).max(MAX_COST_PER_UNIT);
const costSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a currency such as USD"),
  unit: z.enum(PRICE_UNITS),
  default: amount,
  rules: z
    .array(z.strictObject({ when: z.record(z.string(), scalar), amount }))
    .max(MAX_RULES)
    .default([]),
});

const addModelSchema = z.strictObject({
  model_slug: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens"),
  name: text(100),
  modality: z.enum(MODALITIES),
  description: text(1_000),
  /** Instead of pricing, where every unit has the same cost. */
  credits: creditsPerUnit.optional(),
  per: z.enum(PRICE_UNITS).optional(),
  pricing: z
    .strictObject({
      version: z.number().optional(),
      unit: z.enum(PRICE_UNITS),
      default: creditsPerUnit,
      rules: z
        .array(z.strictObject({ when: z.record(z.string(), scalar), credits: creditsPerUnit }))
        .max(MAX_RULES)
        .default([]),
    })
    .optional(),
  estimated_seconds: z.number().positive().max(86_400),
  max_prompt_length: z.number().int().min(1).max(MAX_PROMPT_LENGTH),
  params_schema: z.record(z.string(), z.unknown()),
  provider: text(100),
  provider_model: text(200),
  run_timeout_ms: z.number().int().min(1_000).max(86_400_000),
  provider_options: options(),
  cost: costSchema.optional(),
  fallbacks: z
    .array(
      z.strictObject({
        provider: text(100),
        provider_model: text(200),
        provider_options: options(),
        cost: costSchema.optional(),
      }),
    )
    .max(MAX_FALLBACKS)
    .default([]),
  order: z.number().int().optional(),
});

export type AddModelInput = z.input<typeof addModelSchema>;
type AddModelPricing = z.output<typeof addModelSchema>["pricing"];

/** Stores it as live. Throws invalid_request with every wrong field. */
export async function addModel(
  app: Pick<App, "mongo" | "clock" | "providers">,
  input: AddModelInput,
): Promise<ModelDoc> {
  const { model_slug, params_schema, order, fallbacks, cost, credits, per, pricing, ...rest } = parseRequest(
    addModelSchema,
    input,
  );
  const terms = termsOf({ credits, per, pricing });
  const costs = costsOf([{ ...rest, cost }, ...fallbacks]);
  const issues: Issue[] = [
    ...checkParamsSchema(params_schema, terms),
    ...routeIssues([rest, ...fallbacks], app.providers),
    ...costs.flatMap(({ rate: { unit, micros, rules } }) =>
      checkPriceList(
        {
          unit,
          default: micros,
          rules: rules.map((rule) => ({ when: { ...rule.when }, credits: rule.micros })),
        },
        params_schema,
        "cost",
      ),
    ),
  ];
  const lowest = issues.length > 0 ? 0 : lowestPrice(terms, params_schema);
  if (issues.length === 0 && pricing) issues.push(...shorthandIssues({ credits, per }, { ...terms, lowest }));
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
  return inTx(app, async (tx) => {
    const before = await findModel(app.mongo.db, model_slug, tx);
    const model = {
      _id: model_slug,
      ...rest,
      credits: lowest,
      per: terms.unit,
      pricing: { version: versionAfter(before && pricingOf(before), terms), ...terms },
      ...(fallbacks.length > 0 && { fallbacks: fallbacks.map(({ cost: _cost, ...fallback }) => fallback) }),
      ...(costs.length > 0 && { costs }),
      params_schema_json: JSON.stringify(params_schema),
      status: "live" as const,
      created_at: tx.now,
      updated_at: tx.now,
    };
    return putModel(
      app.mongo.db,
      model,
      { ifNew: ORDER_OF_NEW, ...(order !== undefined && { fixed: order }) },
      tx,
    );
  });
}

type Costed = Pick<Fallback, "provider" | "provider_model"> & {
  readonly cost?: z.output<typeof costSchema> | undefined;
};

function costsOf(routes: readonly Costed[]): RouteCost[] {
  return routes.flatMap(({ provider, provider_model, cost }) => {
    if (!cost) return [];
    const { currency, unit, rules } = cost;
    const rate = {
      currency,
      unit,
      micros: toMicros(cost.default),
      rules: rules.map(({ when, amount: sum }) => ({ when, micros: toMicros(sum) })),
    };
    return [{ provider, provider_model, rate }];
  });
}

type Terms = Omit<Pricing, "version">;
type Shorthand = Pick<z.output<typeof addModelSchema>, "credits" | "per">;

/** Throws invalid_request where the unit or its price is missing. */
function termsOf({ credits, per, pricing }: Shorthand & { pricing: AddModelPricing }): Terms {
  if (pricing) return { unit: pricing.unit, default: pricing.default, rules: pricing.rules };
  if (credits !== undefined && per !== undefined) return { unit: per, default: credits, rules: [] };
  throw invalidField("pricing", "is required: pricing, or credits and per");
}

/** The price in lists must match the price list. A change of only one of them would have no visible effect. */
function shorthandIssues({ credits, per }: Shorthand, { unit, lowest }: Terms & { lowest: number }): Issue[] {
  const issues: Issue[] = [];
  if (credits !== undefined && credits !== lowest)
    issues.push({
      path: "credits",
      message: `must be ${lowest}, the lowest price of pricing, or be left out`,
    });
  if (per !== undefined && per !== unit)
    issues.push({ path: "per", message: `must be ${unit}, the unit of pricing, or be left out` });
  return issues;
}

function versionAfter(before: Pricing | null, after: Terms): number {
  if (!before) return 1;
  const { version, ...terms } = before;
  return isDeepStrictEqual(terms, after) ? version : version + 1;
}

/** Each goes to a provider that is configured here, and no two to the same model, which would fail the same way. */
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
