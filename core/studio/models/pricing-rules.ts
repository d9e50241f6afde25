// Checks that every request that a model's schema accepts has a price, and that each rule applies to some request. This file is pure.
import { invalidField, type Issue } from "../../../proto/codes.ts";
import {
  MAX_UNITS,
  type Price,
  type Priceable,
  priceOf as priceBy,
  type PriceUnit,
  type Pricing,
  pricingOf,
  ruleInWords,
  unitParams,
} from "../../../proto/resources/pricing.ts";
import { isObject, type JsonObject } from "../../../runtime/json-object.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { INPUT_FORMAT } from "./input-params.ts";

/** The maximum number of combinations of values. More could be checked, but no one could read such a price list. */
const MAX_COMBINATIONS = 10_000;

type Terms = Pick<Pricing, "unit" | "default" | "rules">;
/** Whether a param may have a value according to its own part of the schema. */
type MayBe = (param: JsonObject, value: unknown) => boolean;

/** A value that no rule names, or no value. */
const OTHER = Symbol("other");

/** The problems of a model's prices for these params. */
export function pricingIssues(pricing: Terms, schema: JsonObject, mayBe: MayBe, path = "pricing"): Issue[] {
  const conditions = conditionIssues(pricing, schema, mayBe).map((issue) => under(path, issue));
  const issues = [...unitIssues(pricing.unit, schema), ...conditions];
  return issues.length > 0 ? issues : unusedIssues(pricing, schema).map((issue) => under(path, issue));
}

function under(path: string, issue: Issue): Issue {
  return { ...issue, path: `${path}.${issue.path}` };
}

/** The lowest price of a unit that a request can have. */
export function lowestPrice(pricing: Terms, schema: JsonObject): number {
  const used = [...usedRules(pricing, schema).keys()];
  return Math.min(...used.map((rule) => pricing.rules[rule]?.credits ?? pricing.default));
}

function conditionIssues({ rules }: Terms, schema: JsonObject, mayBe: MayBe): Issue[] {
  const params = propertiesOf(schema);
  const names = Object.keys(params);
  const issues = rules.flatMap(({ when }, i) => {
    const path = `rules.${i}.when`;
    const conditions = Object.entries(when);
    if (conditions.length === 0)
      return [{ path, message: "must name at least one param; the default is the price of all others" }];
    return conditions.flatMap(([name, value]): Issue[] => {
      const at = `${path}.${name}`;
      const param = Object.hasOwn(params, name) ? params[name] : undefined;
      if (!isObject(param))
        return [{ path: at, message: `is not a param of the model; it has ${names.join(", ") || "none"}` }];
      if (param["format"] === INPUT_FORMAT)
        return [{ path: at, message: "takes files, which have no price" }];
      if (mayBe(param, value)) return [];
      const possible = [param["enum"]].flat().map(String).join(", ");
      const allowed = Array.isArray(param["enum"]) ? `; the model takes ${possible}` : "";
      return [{ path: at, message: `can never be ${JSON.stringify(value)}${allowed}` }];
    });
  });
  if (issues.length > 0 || combinationsOf({ rules }, schema) <= MAX_COMBINATIONS) return issues;
  const message = `name params with more than ${MAX_COMBINATIONS} combinations of values; name fewer params`;
  return [{ path: "rules", message }];
}

/** A rule that never applies is a mistake; mostly the order is wrong. */
function unusedIssues(pricing: Terms, schema: JsonObject): Issue[] {
  const used = usedRules(pricing, schema);
  return pricing.rules.flatMap(({ when }, i): Issue[] => {
    if (used.has(i)) return [];
    const path = `rules.${i}`;
    const twin = pricing.rules.findIndex((other) => isSame(other.when, when));
    if (twin < i)
      return [{ path, message: `has the same params as rules.${twin}: ${ruleInWords(when)}; remove one` }];
    const earlier = pricing.rules.findIndex((other) => isPartOf(other.when, when));
    const cover = earlier < i ? `rules.${earlier} matches` : "the rules before it match";
    return [{ path, message: `never applies: ${cover} all its requests, and the first match counts` }];
  });
}

/** Tries all combinations of values. Returns the numbers of the rules that apply to some; -1 is the default. */
function usedRules({ rules }: Pick<Terms, "rules">, schema: JsonObject): ReadonlySet<number> {
  const domains = [...domainsOf({ rules }, schema)];
  const used = new Set<number>();
  const values = new Map<string, unknown>();
  const visit = (at: number): void => {
    const domain = domains[at];
    if (!domain) {
      used.add(
        rules.findIndex(({ when }) =>
          Object.entries(when).every(([name, value]) => values.get(name) === value),
        ),
      );
      return;
    }
    for (const value of domain[1]) {
      values.set(domain[0], value);
      visit(at + 1);
    }
  };
  visit(0);
  return used;
}

function combinationsOf(pricing: Pick<Terms, "rules">, schema: JsonObject): number {
  return [...domainsOf(pricing, schema).values()].reduce((product, { length }) => product * length, 1);
}

/** The values to try for each param that a rule names. */
function domainsOf({ rules }: Pick<Terms, "rules">, schema: JsonObject): Map<string, readonly unknown[]> {
  const params = propertiesOf(schema);
  const required = [schema["required"]].flat();
  const names = new Set(rules.flatMap(({ when }) => Object.keys(when)));
  return new Map(
    [...names].map((name) => {
      const param = isObject(params[name]) ? params[name] : {};
      const named = rules.flatMap(({ when }) => (Object.hasOwn(when, name) ? [when[name]] : []));
      const mayBeAbsent = param["default"] === undefined && !required.includes(name);
      const known = knownValues(param);
      return [name, [...new Set([...(known ?? [...named, OTHER]), ...(mayBeAbsent ? [OTHER] : [])])]];
    }),
  );
}

/** All values of a param if its schema lists them. */
function knownValues(param: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(param["enum"])) return param["enum"];
  if (param["const"] !== undefined) return [param["const"]];
  return param["type"] === "boolean" ? [true, false] : undefined;
}

type Conditions = Readonly<Record<string, unknown>>;

function isPartOf(some: Conditions, all: Conditions): boolean {
  return Object.entries(some).every(([name, value]) => Object.hasOwn(all, name) && all[name] === value);
}

function isSame(a: Conditions, b: Conditions): boolean {
  return Object.keys(a).length === Object.keys(b).length && isPartOf(a, b);
}

/** The number of units must be known for all accepted params and must not be too large. */
function unitIssues(unit: PriceUnit, schema: JsonObject): Issue[] {
  const params = propertiesOf(schema);
  const number = (name: string, types: readonly string[]) => numberIssues({ name, types, unit }, schema);
  const count = params["count"] === undefined ? [] : number("count", ["integer"]);
  switch (unit) {
    case "generation":
    case "1000_characters":
      return [];
    case "image":
      return count;
    case "second":
      return number("duration_seconds", ["integer", "number"]);
    case "megapixel": {
      const sides =
        params["size"] === undefined
          ? [...number("width", ["integer"]), ...number("height", ["integer"])]
          : sizeIssues(schema);
      const issues = [...count, ...sides];
      return issues.length > 0 ? issues : tooManyPixels(params);
    }
  }
}

type Counted = { readonly name: string; readonly types: readonly string[]; readonly unit: PriceUnit };

function numberIssues({ name, types, unit }: Counted, schema: JsonObject): Issue[] {
  const param = propertiesOf(schema)[name];
  const at = `params_schema.properties.${name}`;
  if (!isObject(param)) return [{ path: at, message: `is needed, because the price is per ${unit}` }];
  const max = unit === "megapixel" ? MAX_UNITS * 1_000 : MAX_UNITS;
  const issues: Issue[] = [];
  const isWhole = types.includes("number") ? Number.isFinite : Number.isInteger;
  if (!types.includes(String(param["type"])) && !knownValues(param)?.every(isWhole))
    issues.push({ path: at, message: `must have the type ${types.join(" or ")}` });
  const values = boundsOf(param);
  if (!values || values.low < 0 || (values.low === 0 && param["exclusiveMinimum"] !== 0))
    issues.push({ path: at, message: "must have a minimum above 0" });
  if (!values || values.high > max)
    issues.push({ path: at, message: `must have a maximum of at most ${max}` });
  return [...issues, ...presenceIssues(name, schema)];
}

function boundsOf(param: JsonObject): { low: number; high: number } | undefined {
  const known = knownValues(param);
  const numbers = known?.filter((value) => typeof value === "number");
  if (known && numbers?.length === known.length)
    return { low: Math.min(...numbers), high: Math.max(...numbers) };
  const { minimum, exclusiveMinimum, maximum } = param;
  const low = typeof minimum === "number" ? minimum : exclusiveMinimum;
  return {
    low: typeof low === "number" ? low : Number.NEGATIVE_INFINITY,
    high: typeof maximum === "number" ? maximum : Number.POSITIVE_INFINITY,
  };
}

function presenceIssues(name: string, schema: JsonObject): Issue[] {
  const param = propertiesOf(schema)[name];
  const isThere =
    [schema["required"]].flat().includes(name) || (isObject(param) && param["default"] !== undefined);
  const path = `params_schema.properties.${name}`;
  return isThere ? [] : [{ path, message: "must have a default or be required" }];
}

function sizeIssues(schema: JsonObject): Issue[] {
  const { size } = propertiesOf(schema);
  const sizes = isObject(size) ? knownValues(size) : undefined;
  const path = "params_schema.properties.size";
  if (!sizes?.every((value) => typeof value === "string" && /^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(value)))
    return [
      { path, message: "must be an enum of sizes such as 1024x768, because the price is per megapixel" },
    ];
  return presenceIssues("size", schema);
}

function tooManyPixels({ size, width, height, count }: Record<string, unknown>): Issue[] {
  const most = (param: unknown) => (isObject(param) ? (boundsOf(param)?.high ?? 1) : 1);
  const sizes = isObject(size) ? (knownValues(size) ?? []) : [];
  const sides = sizes.map((value) => String(value).split("x").map(Number));
  const pixels =
    sides.length > 0 ? Math.max(...sides.map(([x = 0, y = 0]) => x * y)) : most(width) * most(height);
  if (pixels * most(count) <= MAX_UNITS * 1_000_000) return [];
  const path = `params_schema.properties.${sides.length > 0 ? "size" : "width"}`;
  return [{ path, message: `allows more than ${MAX_UNITS} megapixels a generation` }];
}

function propertiesOf(schema: JsonObject): Record<string, unknown> {
  const { properties } = schema;
  return isObject(properties) ? properties : {};
}

/** The price of one generation with validated params. Throws invalid_request if they yield none. */
export function priceOf(model: Pick<ModelDoc, "per" | "credits" | "pricing">, asked: Priceable): Price {
  const price = priceBy(pricingOf(model), asked);
  if (price) return price;
  const path = `params.${unitParams(model.per)[0] ?? ""}`;
  throw invalidField(
    path,
    `gives no price: a generation has above 0 and at most ${MAX_UNITS} units (${model.per})`,
  );
}
