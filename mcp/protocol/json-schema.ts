// The JSON Schemas of tools, made from zod once at boot and kept small: every assistant pays for them in each conversation.
import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isObject } from "../../runtime/json-object.ts";

type Json = { [name: string]: unknown };
type ObjectSchema = Tool["inputSchema"];

const OUTGROWN = [
  "description",
  "enum",
  "const",
  "x-extensible-enum",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "propertyNames",
  "required",
] as const;

/**
 * Returns the schema of a tool's result: the names and types of its fields. It leaves out what may grow or disappear later, such as the
 * list of states or which fields are always present, because clients check results against a tool list that they have kept. A text or
 * number that can be null has no type here: the two types cost more tokens than all other schemas of the field, in every conversation.
 */
export function toOutputSchema(schema: z.ZodType): ObjectSchema {
  const output = toInputSchema(schema, ({ jsonSchema }) => {
    for (const name of OUTGROWN) delete jsonSchema[name];
  });
  return withoutNullables(output) as ObjectSchema;
}

function withoutNullables(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutNullables);
  if (!isObject(node)) return node;
  const { anyOf } = node;
  if (Array.isArray(anyOf) && anyOf.every(isScalar) && anyOf.some(({ type }) => type === "null")) return {};
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, withoutNullables(inner)]));
}

function isScalar(schema: unknown): schema is { type: string } {
  return isObject(schema) && !("properties" in schema || "items" in schema);
}

/** Returns the schema of a tool's arguments as one self-contained object schema. Strict objects refuse unknown fields. */
export function toInputSchema(
  schema: z.ZodType,
  override: z.core.ToJSONSchemaParams["override"] = () => {},
): ObjectSchema {
  // io "input" leaves additionalProperties open, except for strict objects.
  const {
    $schema: _dialect,
    $defs,
    ...root
  } = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12", override }) as Json;
  const slim = simplify(root, ($defs ?? {}) as Json) as Partial<ObjectSchema>;
  return { ...slim, type: "object" };
}

function simplify(node: unknown, definitions: Json): unknown {
  if (Array.isArray(node)) return node.map((item) => simplify(item, definitions));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...own } = node as Json;
  // Some assistants do not follow references.
  const source =
    typeof $ref === "string" ? { ...(definitions[$ref.slice("#/$defs/".length)] as Json), ...own } : own;
  const result: Json = {};
  for (const [name, value] of Object.entries(source)) {
    if (!isNoise(name, value, source)) result[name] = simplify(value, definitions);
  }
  return splitTypes(result);
}

/**
 * Turns {type: ["string", "null"]} into {anyOf: [{type: "string"}, {type: "null"}]}, because some models accept only one type at a time.
 */
function splitTypes(node: Json): Json {
  const { type, description, ...rest } = node;
  if (!Array.isArray(type)) return node;
  const anyOf = type.map((one) => (one === "null" ? { type: one } : { ...rest, type: one }));
  return { ...(description !== undefined && { description }), anyOf };
}

function isNoise(name: string, value: unknown, node: Json): boolean {
  switch (name) {
    case "id":
      return typeof value === "string";
    case "minimum":
    case "maximum":
      return Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
    case "pattern":
      return "format" in node || "description" in node;
    // The refusal says how long a text may be, and a required text is never empty.
    case "minLength":
    case "maxLength":
      return typeof value === "number";
    case "propertyNames":
      return "additionalProperties" in node;
    case "additionalProperties":
      return value === true || (typeof value === "object" && Object.keys(value as Json).length === 0);
    default:
      return false;
  }
}
