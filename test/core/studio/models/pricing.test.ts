// The price of a generation: every unit, rules over params, and refused price lists.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkParamsSchema } from "../../../../core/studio/models/params.ts";
import { lowestPrice, priceOf as pricedOrRefused } from "../../../../core/studio/models/pricing-rules.ts";
import { AppError } from "../../../../proto/codes.ts";
import {
  MAX_CREDITS_PER_UNIT,
  MAX_UNITS,
  PRICE_UNITS,
  type PriceUnit,
  type Pricing,
  priceOf,
} from "../../../../proto/resources/pricing.ts";
import { drawn } from "../../../support/thorough.ts";

const terms = (unit: PriceUnit, usual: number, rules: Pricing["rules"] = []): Pricing => ({
  version: 1,
  unit,
  default: usual,
  rules,
});
const schemaOf = (properties: Record<string, object>, required: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

describe("priceOf", () => {
  test.each([
    // unit, price of one, params, characters of the prompt → credits
    ["generation", 7, { count: 4 }, 10, 7],
    ["image", 10, { count: 3 }, 10, 30],
    ["image", 10, {}, 10, 10],
    ["second", 8, { duration_seconds: 4 }, 10, 32],
    ["second", 8, { duration_seconds: 2.5 }, 10, 24],
    ["megapixel", 10, { width: 1000, height: 1000 }, 10, 10],
    ["megapixel", 10, { width: 1024, height: 1024 }, 10, 10],
    ["megapixel", 10, { width: 1920, height: 1080 }, 10, 20],
    ["megapixel", 10, { width: 1024, height: 1024, count: 4 }, 10, 41],
    ["megapixel", 10, { size: "1536x1024" }, 10, 15],
    ["megapixel", 10, { width: 64, height: 64 }, 10, 1],
    ["1000_characters", 30, {}, 1_000, 30],
    ["1000_characters", 30, {}, 999, 29],
    ["1000_characters", 30, {}, 34, 1],
    ["1000_characters", 30, {}, 1, 1],
    ["megapixel", 0, { width: 64, height: 64 }, 1, 0],
  ] as const)(
    "[GEN-08] prices per %s at %d credits: %j with %d characters cost %d",
    (unit, usual, params, characters, credits) => {
      expect(priceOf(terms(unit, usual), { params, characters })?.credits).toBe(credits);
    },
  );

  test.each([
    ["image", { count: 0 }],
    ["image", { count: 1.5 }],
    ["image", { count: "2" }],
    ["image", { count: MAX_UNITS + 1 }],
    ["second", {}],
    ["second", { duration_seconds: 0 }],
    ["second", { duration_seconds: Number.NaN }],
    ["second", { duration_seconds: Number.POSITIVE_INFINITY }],
    ["megapixel", { width: 1024 }],
    ["megapixel", { size: "large" }],
    ["megapixel", { width: 60_000, height: 60_001 }],
    ["megapixel", { width: 0.5, height: 3 }],
  ] as const)("refuses params without a number of units: per %s, %j", (unit, params) => {
    const refused = () => pricedOrRefused({ per: unit, credits: 1 }, { params, characters: 1 });
    expect(refused).toThrow(AppError);
  });

  test("uses the first rule whose params all match, names it, and lists the others that match", () => {
    const pricing = terms("second", 5, [
      { when: { resolution: "1080p", audio: true }, credits: 50 },
      { when: { resolution: "1080p" }, credits: 40 },
      { when: { audio: true }, credits: 9 },
    ]);
    const priced = (params: Record<string, unknown>) => {
      const price = priceOf(pricing, { params: { duration_seconds: 2, ...params }, characters: 1 });
      return price && [price.credits, price.by.when, price.matching];
    };
    expect(priced({ resolution: "1080p", audio: true })).toEqual([100, pricing.rules[0]?.when, [0, 1, 2]]);
    expect(priced({ resolution: "1080p", audio: false })).toEqual([80, pricing.rules[1]?.when, [1]]);
    expect(priced({ resolution: "720p", audio: true })).toEqual([18, pricing.rules[2]?.when, [2]]);
    expect(priced({ resolution: "720p" })).toEqual([10, null, []]);
    // A string does not match the number that it spells.
    expect(priced({ audio: "true" })).toEqual([10, null, []]);
  });

  test("returns whole credits, never above the exact price and within one credit of it, for all units", () => {
    const amounts = fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      duration_seconds: fc.integer({ min: 1, max: MAX_UNITS }),
      width: fc.integer({ min: 1, max: 8_192 }),
      height: fc.integer({ min: 1, max: 8_192 }),
    });
    const exact: Record<PriceUnit, (asked: Record<string, bigint>) => [bigint, bigint]> = {
      generation: () => [1n, 1n],
      image: ({ count = 0n }) => [count, 1n],
      second: ({ duration_seconds = 0n }) => [duration_seconds, 1n],
      megapixel: ({ width = 0n, height = 0n, count = 0n }) => [width * height * count, 1_000_000n],
      "1000_characters": ({ characters = 0n }) => [characters, 1_000n],
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...PRICE_UNITS),
        fc.integer({ min: 1, max: MAX_CREDITS_PER_UNIT }),
        amounts,
        fc.integer({ min: 1, max: 4_000 }),
        (unit, usual, params, characters) => {
          const asked = Object.fromEntries(
            Object.entries({ ...params, characters }).map(([name, value]) => [name, BigInt(value)]),
          );
          const [amount, divisor] = exact[unit](asked);
          const whole = (BigInt(usual) * amount) / divisor;
          const price = priceOf(terms(unit, usual), { params, characters });
          expect(price?.credits).toBe(Number(whole === 0n ? 1n : whole));
          expect(Number.isSafeInteger(price?.credits)).toBe(true);
        },
      ),
    );
  });
});

const VIDEO = schemaOf({
  resolution: { type: "string", enum: ["480p", "720p", "1080p"], default: "720p" },
  audio: { type: "boolean", default: false },
  duration_seconds: { type: "integer", enum: [4, 6, 8], default: 8 },
  fps: { type: "integer", minimum: 5, maximum: 60, default: 24 },
  image: { type: "string", format: "atelier-input" },
  style: { type: "string" },
});

describe("a price list", () => {
  test("is accepted with a rule for each combination that has its own price", () => {
    const pricing = terms("second", 20, [
      { when: { resolution: "1080p", audio: true }, credits: 50 },
      { when: { resolution: "1080p" }, credits: 35 },
      { when: { audio: true }, credits: 30 },
      { when: { resolution: "480p" }, credits: 10 },
      { when: { fps: 60 }, credits: 25 },
      { when: { style: "anime" }, credits: 21 },
    ]);
    expect(checkParamsSchema(VIDEO, pricing)).toEqual([]);
    expect(lowestPrice(pricing, VIDEO)).toBe(10);
  });

  test.each<[string, string, Record<string, unknown>[]]>([
    [
      "0.when.quality",
      "is not a param of the model; it has resolution, audio, duration_seconds, fps, image, style",
      [{ quality: "high" }],
    ],
    ["0.when.resolution", 'can never be "4k"; the model takes 480p, 720p, 1080p', [{ resolution: "4k" }]],
    ["0.when.fps", "can never be 120", [{ fps: 120 }]],
    ["0.when.audio", 'can never be "yes"', [{ audio: "yes" }]],
    ["0.when.image", "takes files, which have no price", [{ image: "upl_1" }]],
    ["0.when", "must name at least one param; the default is the price of all others", [{}]],
    ["1", "has the same params as rules.0: audio true; remove one", [{ audio: true }, { audio: true }]],
    [
      "1",
      "never applies: rules.0 matches all its requests, and the first match counts",
      [{ audio: true }, { audio: true, resolution: "480p" }],
    ],
    [
      "2",
      "never applies: the rules before it match all its requests, and the first match counts",
      [{ audio: true }, { audio: false }, { resolution: "480p" }],
    ],
  ])("is refused where rule %s %s", (at, message, whens) => {
    const rules = whens.map((when, i) => ({ when, credits: i + 1 }));
    const path = `pricing.rules.${at}`;
    expect(checkParamsSchema(VIDEO, terms("second", 20, rules))).toEqual([{ path, message }]);
  });

  test("is refused with more combinations than can be listed", () => {
    const sizes = Array.from({ length: 40 }, (_, i) => `s${i}`);
    const wide = schemaOf(
      Object.fromEntries(["a", "b", "c"].map((name) => [name, { enum: sizes, default: "s0" }])),
    );
    const rules = [{ when: { a: "s1", b: "s1", c: "s1" }, credits: 1 }];
    expect(checkParamsSchema(wide, terms("generation", 2, rules))).toMatchObject([{ path: "pricing.rules" }]);
  });

  const NO_SIZES = "must be an enum of sizes such as 1024x768, because the price is per megapixel";
  test.each<[PriceUnit, string, object | undefined, string]>([
    ["second", "duration_seconds", undefined, "is needed, because the price is per second"],
    ["second", "duration_seconds", { minimum: 1, default: 4 }, `must have a maximum of at most ${MAX_UNITS}`],
    ["second", "duration_seconds", { minimum: 0, maximum: 9, default: 4 }, "must have a minimum above 0"],
    ["second", "duration_seconds", { minimum: 1, maximum: 9 }, "must have a default or be required"],
    ["second", "duration_seconds", { enum: [0, 4], default: 4 }, "must have a minimum above 0"],
    ["image", "count", { minimum: 1, maximum: 4, default: 1 }, "must have the type integer"],
    ["megapixel", "width", undefined, "is needed, because the price is per megapixel"],
    ["megapixel", "size", { type: "string", default: "1024x1024" }, NO_SIZES],
    ["megapixel", "size", { enum: ["1024x1024", "auto"], default: "1024x1024" }, NO_SIZES],
    [
      "megapixel",
      "size",
      { enum: ["99999x99999"], default: "99999x99999" },
      `allows more than ${MAX_UNITS} megapixels a generation`,
    ],
  ])("is refused where its unit is %s and %s is not bounded: %j", (unit, name, param, message) => {
    const schema = schemaOf(
      param ? { [name]: unit === "megapixel" ? param : { type: "number", ...param } } : {},
    );
    const [first] = checkParamsSchema(schema, terms(unit, 1));
    expect(first).toEqual({ path: `params_schema.properties.${name}`, message });
  });

  test("a price list that was accepted has a price for every valid request, and each rule applies to some request", () => {
    const values = {
      resolution: ["480p", "720p", "1080p"],
      audio: [true, false],
      fps: [24, 60],
      style: ["x", "y"],
    };
    const conditions = fc
      .record(
        {
          resolution: fc.constantFrom(...values.resolution),
          audio: fc.boolean(),
          fps: fc.constantFrom(...values.fps),
          style: fc.constantFrom(...values.style),
        },
        { requiredKeys: [] },
      )
      .filter((when) => Object.keys(when).length > 0);
    const rules = fc.array(fc.record({ when: conditions, credits: fc.integer({ min: 0, max: 99 }) }), {
      maxLength: 6,
    });
    const all = values.resolution.flatMap((resolution) =>
      values.audio.flatMap((audio) =>
        [...values.fps, 30].flatMap((fps) =>
          [...values.style, "z", undefined].map((style) => ({
            resolution,
            audio,
            fps,
            ...(style !== undefined && { style }),
          })),
        ),
      ),
    );
    fc.assert(
      fc.property(rules, (given) => {
        const pricing = terms("second", 100, given);
        const issues = checkParamsSchema(VIDEO, pricing);
        const used = new Set<number>();
        let lowest = Number.POSITIVE_INFINITY;
        for (const asked of all) {
          const price = priceOf(pricing, { params: { duration_seconds: 4, ...asked }, characters: 1 });
          if (!price) throw new Error("it has no price");
          used.add(price.matching[0] ?? -1);
          lowest = Math.min(lowest, price.by.credits);
        }
        const unused = given.flatMap((_, i) => (used.has(i) ? [] : [`pricing.rules.${i}`]));
        expect(issues.map(({ path }) => path)).toEqual(unused);
        if (unused.length === 0) expect(lowestPrice(pricing, VIDEO)).toBe(lowest);
      }),
      { numRuns: drawn(50) },
    );
  });
});
