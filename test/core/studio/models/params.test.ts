// Valid params of a request, and valid schemas of a model.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inputParamsOf } from "../../../../core/studio/models/input-params.ts";
import { checkParams, checkParamsSchema } from "../../../../core/studio/models/params.ts";
import { priceOf } from "../../../../core/studio/models/pricing-rules.ts";
import { LOCAL_MODELS } from "../../../../core/studio/models/seed.ts";
import { type PriceUnit, pricingOf } from "../../../../proto/resources/pricing.ts";

const model = {
  params_schema_json: JSON.stringify({
    type: "object",
    additionalProperties: false,
    required: ["style"],
    properties: {
      width: { type: "integer", minimum: 64, maximum: 2048, multipleOf: 2, default: 1024 },
      style: { type: "string", enum: ["calm", "bold"] },
      ratio: { type: "number", exclusiveMinimum: 0 },
      tags: { type: "array", maxItems: 2, items: { type: "string", minLength: 2 } },
    },
  }),
};

function issuesOf(params: Record<string, unknown>): unknown {
  const checked = checkParams(model, params);
  return Array.isArray(checked) ? checked : [];
}

describe("checkParams", () => {
  test("fills in defaults and does not mutate its input", () => {
    const given = { style: "calm" };
    expect(checkParams(model, given)).toEqual({ params: { style: "calm", width: 1024 } });
    expect(given).toEqual({ style: "calm" });
  });

  test("[GEN-04] describes every wrong param", () => {
    expect(issuesOf({ width: 63, ratio: 0, tags: ["a", "bb", "cc"], size: 1 })).toEqual([
      { path: "params.style", message: "is required" },
      {
        path: "params.size",
        message: "is not a parameter of this model; it takes width, style, ratio, tags",
      },
      { path: "params.width", message: "must be at least 64" },
      { path: "params.width", message: "must be a multiple of 2" },
      { path: "params.ratio", message: "must be above 0" },
      { path: "params.tags", message: "must NOT have more than 2 items" },
      { path: "params.tags.0", message: "must be at least 2 characters" },
    ]);
    expect(issuesOf({ style: "loud", width: "1024" })).toEqual([
      { path: "params.width", message: "must be an integer" },
      { path: "params.style", message: "must be one of calm, bold" },
    ]);
  });

  test("refuses keys that would reach an object's prototype", () => {
    const params = JSON.parse('{"style":"calm","__proto__":{"width":1},"constructor":1}') as Record<
      string,
      unknown
    >;
    expect(issuesOf(params)).toMatchObject([{ path: "params.__proto__" }, { path: "params.constructor" }]);
  });

  test("reports at most twenty issues", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, i]));
    expect(issuesOf({ style: "calm", ...many })).toHaveLength(20);
  });

  test("returns issues or priced params for any JSON and every local model", () => {
    const names = [
      "width",
      "height",
      "count",
      "duration_seconds",
      "fps",
      "seed",
      "composition",
      "caption",
      "voice",
      "speed",
    ];
    const value = fc.oneof(
      fc.integer({ min: -10, max: 3000 }),
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.jsonValue(),
    );
    const params = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...LOCAL_MODELS), params, (local, given) => {
        const checked = checkParams(local, given);
        if (Array.isArray(checked)) {
          expect(checked.length).toBeGreaterThan(0);
          for (const issue of checked) expect(issue.path.startsWith("params")).toBe(true);
        } else {
          expect(priceOf(local, { params: checked.params, characters: 1 }).credits).toBeGreaterThanOrEqual(
            local.credits,
          );
        }
      }),
    );
  });
});

describe("checkParamsSchema", () => {
  const fine = { type: "object", additionalProperties: false, properties: {} };

  test.each(LOCAL_MODELS.map((local) => [local._id, local] as const))(
    "accepts the schema of %s",
    (_slug, local) => {
      expect(checkParamsSchema(JSON.parse(local.params_schema_json), pricingOf(local))).toEqual([]);
      const files = [...inputParamsOf(local).keys()].map((name) => [name, `upl_${"0".repeat(26)}`]);
      expect(checkParams(local, Object.fromEntries(files))).toHaveProperty("params");
    },
  );

  test.each<[string, object, string, PriceUnit?]>([
    ["is not of type object", { type: "array" }, ".type"],
    ["lets unknown params through", { additionalProperties: true }, ".additionalProperties"],
    ["uses another draft", { $schema: "http://json-schema.org/draft-07/schema#" }, ".$schema"],
    ["has an unknown keyword", { minimun: 1 }, ""],
    ["has an unknown type", { properties: { a: { type: "int" } } }, ""],
    ["references another document", { properties: { a: { $ref: "https://example.com/a" } } }, ""],
    ["has an invalid default", { properties: { a: { type: "integer", default: 1.5 } } }, ".default.a"],
    ["has a name that is not snake_case", { properties: { Width: {} } }, ".properties.Width"],
    ["lacks the seconds for a price per second", {}, ".properties.duration_seconds", "second"],
    [
      "has no maximum for the images",
      { properties: { count: { type: "integer", minimum: 1, default: 1 } } },
      ".properties.count",
      "image",
    ],
    ["is too long", { description: "x".repeat(20_000) }, ""],
  ])("refuses a schema that %s", (_what, change, path, per = "generation") => {
    const found = checkParamsSchema({ ...fine, ...change }, pricingOf({ credits: 1, per }));
    expect(found).toMatchObject([{ path: `params_schema${path}` }]);
  });

  test("refuses a schema that is not an object", () => {
    const found = checkParamsSchema([], pricingOf({ credits: 1, per: "generation" }));
    expect(found).toMatchObject([{ path: "params_schema" }]);
  });

  test("allows a price per image without a count param", () => {
    expect(checkParamsSchema(fine, pricingOf({ credits: 1, per: "image" }))).toEqual([]);
  });
});
