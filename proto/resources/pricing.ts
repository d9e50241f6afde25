// The price of a generation: the one function that core, the gateways and the website price with. It is pure.
import { z } from "zod";

/** The unit of a price. */
export const PRICE_UNITS = ["generation", "image", "second", "megapixel", "1000_characters"] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];

/** The most units for which one generation may be priced, whatever a schema allows. */
export const MAX_UNITS = 3_600;
/** The most credits that a unit may cost. With MAX_UNITS it keeps every price an exact integer. */
export const MAX_CREDITS_PER_UNIT = 1_000_000;

const creditsPerUnit = z.number().int();

export const priceRuleSchema = z
  .object({
    when: z.record(z.string(), z.unknown()).describe("Params and the values that they must have."),
    credits: creditsPerUnit.describe("Price of one unit."),
  })
  .meta({ id: "PriceRule" });

export const pricingSchema = z
  .object({
    version: z.number().int().min(1).describe("Grows with each change of the price."),
    unit: z.enum(PRICE_UNITS),
    default: creditsPerUnit.describe("Price of one unit where no rule applies."),
    rules: z.array(priceRuleSchema).describe("The first whose params all match applies."),
  })
  .meta({ id: "Pricing" });
export type Pricing = z.output<typeof pricingSchema>;

/** The rule that priced a job, so that its price can be explained after the model's prices have changed. */
export const pricedBySchema = z
  .object({
    version: z.number().int().describe("Of the model's pricing."),
    unit: z.enum(PRICE_UNITS),
    units: z.number(),
    credits: creditsPerUnit.describe("Price of one unit."),
    when: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The rule that applied; null for the default price."),
  })
  .meta({ id: "PricedBy" });
export type PricedBy = z.output<typeof pricedBySchema>;

/** The parts of a request that determine its price. */
export type Priceable = {
  /** The validated params with their defaults. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The length of the prompt in Unicode characters. */
  readonly characters: number;
};

export type Price = {
  readonly credits: number;
  readonly by: PricedBy;
  /** The numbers of all rules that match, from 0; the first of them applied. */
  readonly matching: readonly number[];
};

/** The pricing of a model whose price depends only on its unit. */
export function pricingOf(model: {
  readonly credits: number;
  readonly per: PriceUnit;
  readonly pricing?: Pricing | undefined;
}): Pricing {
  return model.pricing ?? { version: 1, unit: model.per, default: model.credits, rules: [] };
}

/**
 * Returns the price of one generation. Credits are whole: a fraction is rounded down, and a price above 0 is at least 1. Returns undefined
 * if the params do not give the number of units.
 */
export function priceOf(pricing: Pricing, asked: Priceable): Price | undefined {
  const { divisor, amountOf } = UNITS[pricing.unit];
  const amount = amountOf(asked);
  if (amount === undefined || !Number.isInteger(amount) || amount < 1 || amount > MAX_UNITS * divisor)
    return undefined;
  const matching = pricing.rules.flatMap(({ when }, i) => (isMatch(when, asked.params) ? [i] : []));
  const rule = pricing.rules[matching[0] ?? -1];
  const perUnit = rule?.credits ?? pricing.default;
  const total = perUnit * amount;
  return {
    credits: perUnit === 0 ? 0 : Math.max(1, (total - (total % divisor)) / divisor),
    by: {
      version: pricing.version,
      unit: pricing.unit,
      units: amount / divisor,
      credits: perUnit,
      when: rule?.when ?? null,
    },
    matching,
  };
}

function isMatch(when: Readonly<Record<string, unknown>>, params: Priceable["params"]): boolean {
  return Object.entries(when).every(([name, value]) => Object.hasOwn(params, name) && params[name] === value);
}

/** The params from which the number of units is read. */
export function unitParams(unit: PriceUnit): readonly string[] {
  return UNITS[unit].params;
}

type Unit = {
  readonly params: readonly string[];
  /** How much of what `amountOf` counts is one unit. */
  readonly divisor: number;
  readonly amountOf: (asked: Priceable) => number | undefined;
};

const UNITS: Readonly<Record<PriceUnit, Unit>> = {
  generation: { params: [], divisor: 1, amountOf: () => 1 },
  image: { params: ["count"], divisor: 1, amountOf: ({ params }) => countOf(params) },
  // A unit that has begun counts in full.
  second: {
    params: ["duration_seconds"],
    divisor: 1,
    amountOf: ({ params }) => Math.ceil(numberOf(params["duration_seconds"])),
  },
  megapixel: {
    params: ["width", "height", "size", "count"],
    divisor: 1_000_000,
    amountOf: ({ params }) => pixelsOf(params) * countOf(params),
  },
  "1000_characters": { params: [], divisor: 1_000, amountOf: ({ characters }) => characters },
};

function countOf(params: Priceable["params"]): number {
  return params["count"] === undefined ? 1 : numberOf(params["count"]);
}

/** The size of one picture: 1024x768, or its width and height. */
function pixelsOf({ size, width, height }: Priceable["params"]): number {
  const [, wide, high] = /^(\d{1,5})x(\d{1,5})$/.exec(typeof size === "string" ? size : "") ?? [];
  return wide === undefined ? numberOf(width) * numberOf(height) : Number(wide) * Number(high);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

export const UNIT_WORDS: Readonly<Record<PriceUnit, string>> = {
  generation: "generation",
  image: "image",
  second: "second",
  megapixel: "megapixel",
  "1000_characters": "1,000 characters",
};

/** For example "4 credits per image" or "5 to 50 credits per second". */
export function priceInWords({ unit, default: usual, rules }: Pricing): string {
  const all = [usual, ...rules.map(({ credits }) => credits)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const range = low === high ? inWords(low) : `${inWords(low)} to ${inWords(high)}`;
  return `${range} ${high === 1 ? "credit" : "credits"} per ${UNIT_WORDS[unit]}`;
}

/** For example 1,000,000. */
function inWords(credits: number): string {
  return credits.toLocaleString("en-US");
}

/** For example "resolution 1080p, audio true". */
export function ruleInWords(when: Readonly<Record<string, unknown>>): string {
  return Object.entries(when)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}
