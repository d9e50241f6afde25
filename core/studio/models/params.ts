// Checks the params of a request against the model's JSON Schema, and the schema itself before it is stored. Pure.
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Issue } from "../../../proto/codes.ts";
import type { Pricing } from "../../../proto/resources/pricing.ts";
import { isObject, type JsonObject } from "../../../runtime/json-object.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { inputIssues, teachInputs } from "./input-params.ts";
import { pricingIssues } from "./pricing-rules.ts";

const MAX_SCHEMA_CHARACTERS = 16_384;
const MAX_ISSUES = 20;
const MAX_COMPILED = 500;
/** Providers that do not state a maximum seed accept 31 bits at least. */
const MAX_UNBOUND_SEED = 2 ** 31 - 1;
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Names as they appear on the wire; also excludes `__proto__` and the like. */
const PARAM_NAME = /^[a-z][a-z0-9_]{0,63}$/;

type Params = Record<string, unknown>;

/** A compiled schema. `seeds` are the seeds that may be drawn for it, where it has a seed without a default. */
type Compiled = { readonly validate: ValidateFunction; readonly seeds: SeedRange | undefined };
type SeedRange = { readonly minimum: number; readonly maximum: number };

/** By schema text, oldest dropped first. Compiling takes milliseconds, running a validator takes microseconds. */
const compiled = new Map<string, Compiled>();

/** The params with defaults filled in, or their problems. The given object is not changed. */
export function checkParams(
  model: Pick<ModelDoc, "params_schema_json">,
  params: Readonly<Record<string, unknown>>,
): { params: Params } | Issue[] {
  const { validate } = compiledOf(model.params_schema_json);
  const filled = structuredClone(params) as Params;
  if (validate(filled)) return { params: filled };
  return toIssues(validate.errors ?? [], "params");
}

/**
 * Checked params with a seed, where the model takes one and none was given: `drawn`, a whole number below 2^32, mapped into the bounds of
 * the schema. Undefined where there is nothing to add.
 */
export function seedParams(
  model: Pick<ModelDoc, "params_schema_json">,
  params: Readonly<Params>,
  drawn: number,
): Params | undefined {
  const { validate, seeds } = compiledOf(model.params_schema_json);
  if (!seeds || params["seed"] !== undefined) return undefined;
  const seeded = { ...params, seed: seeds.minimum + (drawn % (seeds.maximum - seeds.minimum + 1)) };
  return validate(seeded) ? seeded : undefined;
}

/** The problems of a schema of params for a model of these prices. Empty when a model may be stored with both. */
export function checkParamsSchema(
  schema: unknown,
  pricing: Pick<Pricing, "unit" | "default" | "rules">,
): Issue[] {
  const path = "params_schema";
  if (!isObject(schema)) return [{ path, message: "must be a JSON object" }];
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_CHARACTERS)
    return [{ path, message: `must be at most ${MAX_SCHEMA_CHARACTERS} characters` }];
  const issues = shapeIssues(schema, path);
  if (issues.length > 0) return issues;
  let validate: ValidateFunction;
  try {
    validate = compile(schema);
  } catch (error) {
    return [
      {
        path,
        message: `is not a usable JSON Schema: ${error instanceof Error ? error.message : "unknown reason"}`,
      },
    ];
  }
  return [
    ...inputIssues(schema, path),
    ...defaultIssues(validate, path),
    ...pricingIssues(pricing, schema, mayBe),
  ];
}

/** The problems of a list of prices, or of costs, for a model of this schema. */
export function checkPriceList(
  terms: Pick<Pricing, "unit" | "default" | "rules">,
  schema: JsonObject,
  path: string,
): Issue[] {
  return pricingIssues(terms, schema, mayBe, path);
}

/** Whether a param may have a value, by its own part of the schema. One that references other parts may have any. */
function mayBe({ default: _default, ...param }: JsonObject, value: unknown): boolean {
  try {
    return compile(param)(value);
  } catch {
    return true;
  }
}

function compiledOf(schemaJson: string): Compiled {
  const known = compiled.get(schemaJson);
  if (known) return known;
  const schema = JSON.parse(schemaJson) as JsonObject;
  const made = { validate: compile(schema), seeds: seedRange(schema) };
  const oldest = compiled.keys().next();
  if (compiled.size >= MAX_COMPILED && !oldest.done) compiled.delete(oldest.value);
  compiled.set(schemaJson, made);
  return made;
}

function seedRange({ properties }: JsonObject): SeedRange | undefined {
  const seed = isObject(properties) ? properties["seed"] : undefined;
  if (!isObject(seed) || seed["type"] !== "integer" || seed["default"] !== undefined) return undefined;
  const { minimum = 0, maximum = MAX_UNBOUND_SEED } = seed;
  if (typeof minimum !== "number" || typeof maximum !== "number") return undefined;
  // Negative numbers are not seeds: where -1 is allowed, it requests any seed from the provider.
  const range = { minimum: Math.max(0, Math.ceil(minimum)), maximum: Math.floor(maximum) };
  return range.minimum <= range.maximum ? range : undefined;
}

const AJV_OPTIONS = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  ownProperties: true,
  verbose: true,
  logger: false,
} as const;

/** Compiles the dialect's own schema once, by far the longest part of a compilation, and keeps no other. */
let dialect: Ajv2020 | undefined;

/** A separate Ajv each time: Ajv never forgets a schema, and two models may use the same $id. Throws on an invalid schema. */
function compile(schema: JsonObject): ValidateFunction {
  dialect ??= newAjv({ validateSchema: true });
  void dialect.validateSchema(schema, true);
  return newAjv({ validateSchema: false }).compile(schema);
}

function newAjv(options: { validateSchema: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, ...options });
  teachInputs(ajv);
  return ajv;
}

function shapeIssues(schema: JsonObject, path: string): Issue[] {
  const issues: Issue[] = [];
  if (schema["$schema"] !== undefined && schema["$schema"] !== DIALECT) {
    issues.push({ path: `${path}.$schema`, message: `must be ${DIALECT} or left out` });
  }
  if (schema["type"] !== "object") issues.push({ path: `${path}.type`, message: 'must be "object"' });
  if (schema["additionalProperties"] !== false) {
    issues.push({
      path: `${path}.additionalProperties`,
      message: "must be false, so that unknown params are refused",
    });
  }
  const properties = schema["properties"];
  if (properties !== undefined && !isObject(properties))
    issues.push({ path: `${path}.properties`, message: "must be an object" });
  for (const name of Object.keys(isObject(properties) ? properties : {})) {
    if (!PARAM_NAME.test(name))
      issues.push({ path: `${path}.properties.${name}`, message: "must be named in snake_case" });
  }
  return issues;
}

/** A request without any optional param must be valid. */
function defaultIssues(validate: ValidateFunction, path: string): Issue[] {
  if (validate({})) return [];
  const wrong = (validate.errors ?? []).filter((error) => error.keyword !== "required");
  return toIssues(wrong, `${path}.default`);
}

function toIssues(errors: readonly ErrorObject[], root: string): Issue[] {
  return errors.slice(0, MAX_ISSUES).map((error) => {
    const at = [root, ...error.instancePath.split("/").slice(1).map(unescapePointer)];
    const inside = error.params["additionalProperty"] ?? error.params["missingProperty"];
    return { path: (typeof inside === "string" ? [...at, inside] : at).join("."), message: wordsFor(error) };
  });
}

function wordsFor(error: ErrorObject): string {
  const { params } = error;
  switch (error.keyword) {
    case "additionalProperties":
      return `is not a parameter of this model; it takes ${parameterNames(error)}`;
    case "required":
      return "is required";
    case "type":
      return `must be ${[params["type"]].flat().map(withArticle).join(" or ")}`;
    case "enum":
      return `must be one of ${[params["allowedValues"]].flat().map(String).join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(params["allowedValue"])}`;
    case "minimum":
      return `must be at least ${params["limit"]}`;
    case "maximum":
      return `must be at most ${params["limit"]}`;
    case "exclusiveMinimum":
      return `must be above ${params["limit"]}`;
    case "exclusiveMaximum":
      return `must be below ${params["limit"]}`;
    case "multipleOf":
      return `must be a multiple of ${params["multipleOf"]}`;
    case "minLength":
      return `must be at least ${params["limit"]} characters`;
    case "maxLength":
      return `must be at most ${params["limit"]} characters`;
    case "format":
      return "must be an upload_id, an output_id of one of your jobs, or an https address";
    default:
      return error.message ?? "is not valid";
  }
}

function parameterNames(error: ErrorObject): string {
  const properties: unknown = error.parentSchema?.["properties"];
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.length > 0 ? names.join(", ") : "none";
}

function withArticle(type: unknown): string {
  return `${/^[aeiou]/.test(String(type)) ? "an" : "a"} ${String(type)}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
