// Params of a model that name files: `"format": "atelier-input"`, with `"x-accept"` for the accepted kinds of files. Pure.
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { Issue } from "../../../proto/codes.ts";
import { MODALITIES, type Modality } from "../../../proto/resources/job.ts";
import { isObject, type JsonObject } from "../../../runtime/json-object.ts";

export const INPUT_FORMAT = "atelier-input";
const ACCEPT = "x-accept";
const MAX_INPUT_PARAMS = 8;
const MAX_ADDRESS_LENGTH = 2048;
const MAX_KNOWN = 500;
/** The form of ids, in any case. */
const HANDLE = /^(upl|out)_[0-9A-Z]{26}$/;

/** The accepted kinds of each param, by name. */
export type InputParams = ReadonlyMap<string, readonly Modality[]>;

const NONE: InputParams = new Map();
/** By the text of the schema, oldest dropped first. */
const known = new Map<string, InputParams>();

/** Most models have none, and then this costs next to nothing. */
export function inputParamsOf({ params_schema_json: text }: { params_schema_json: string }): InputParams {
  if (!text.includes(INPUT_FORMAT)) return NONE;
  const earlier = known.get(text);
  if (earlier) return earlier;
  const inputs = new Map(
    propertiesOf(JSON.parse(text) as JsonObject).flatMap(([name, schema]) =>
      isInput(schema) ? [[name, acceptedBy(schema)] as const] : [],
    ),
  );
  const oldest = known.keys().next();
  if (known.size >= MAX_KNOWN && !oldest.done) known.delete(oldest.value);
  known.set(text, inputs);
  return inputs;
}

/** How a value names a file; whether it exists is checked elsewhere. */
export function readInputValue(value: string): "upload" | "output" | "address" | undefined {
  const handle = HANDLE.exec(value);
  if (handle) return handle[1] === "upl" ? "upload" : "output";
  const isAddress = /^https?:\/\//i.test(value) && value.length <= MAX_ADDRESS_LENGTH && URL.canParse(value);
  return isAddress ? "address" : undefined;
}

/** Registers both keywords with Ajv, which is strict. */
export function teachInputs(ajv: Ajv2020): void {
  ajv.addFormat(INPUT_FORMAT, (value: string) => readInputValue(value) !== undefined);
  ajv.addKeyword({
    keyword: ACCEPT,
    schemaType: ["string", "array"],
    metaSchema: {
      anyOf: [
        { enum: [...MODALITIES] },
        { type: "array", minItems: 1, uniqueItems: true, items: { enum: [...MODALITIES] } },
      ],
    },
  });
}

/** The problems of a schema's file params. */
export function inputIssues(schema: JsonObject, path: string): Issue[] {
  const properties = propertiesOf(schema);
  const inputs = properties.filter(([, property]) => isInput(property));
  const at = ([name]: readonly [string, unknown]) => `${path}.properties.${name}`;
  const issues = inputs.flatMap((input) => {
    const [, property] = input;
    if (property["type"] !== "string") return [{ path: `${at(input)}.type`, message: 'must be "string"' }];
    if (property["default"] !== undefined)
      return [{ path: `${at(input)}.default`, message: "must be left out: every file has an owner" }];
    return [];
  });
  if (inputs.length > MAX_INPUT_PARAMS)
    issues.push({ path, message: `must have at most ${MAX_INPUT_PARAMS} params that take files` });
  // Elsewhere it would be accepted and never fetched.
  const elsewhere = countInputs(schema) - inputs.length;
  if (elsewhere > 0)
    issues.push({ path, message: `must name the format ${INPUT_FORMAT} in params themselves only` });
  return issues;
}

function propertiesOf(schema: JsonObject): [string, JsonObject][] {
  const properties = schema["properties"];
  return Object.entries(isObject(properties) ? properties : {}).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  );
}

function isInput(property: JsonObject): boolean {
  return property["format"] === INPUT_FORMAT;
}

function acceptedBy(property: JsonObject): readonly Modality[] {
  const accept = property[ACCEPT];
  if (accept === undefined) return MODALITIES;
  return MODALITIES.filter((kind) => [accept].flat().includes(kind));
}

function countInputs(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countInputs(item), 0);
  if (!isObject(value)) return 0;
  const below = Object.values(value).reduce((sum: number, item) => sum + countInputs(item), 0);
  return below + (isInput(value) ? 1 : 0);
}
