// Converts the params of a model's JSON Schema to form fields, and form values to API values. Core validates the values.
import { MODALITIES, type Modality } from "../../../proto/resources/job.ts";
import { isObject, type JsonObject } from "../../../runtime/json-object.ts";
import { checkbox, select, textField } from "../design/field.ts";
import { label } from "../design/format.ts";
import type { Markup } from "../design/markup.js";

export type Param = {
  readonly name: string;
  /** The name of the form field. */
  readonly field: string;
  readonly kind: "choice" | "switch" | "number" | "text" | "json" | "file";
  readonly required: boolean;
  readonly hint: string | undefined;
  /** The default as the form shows it; empty if the schema has none. */
  readonly fallback: string;
  readonly choices: readonly unknown[];
  /** For a param that takes a file: the accepted kinds. */
  readonly accepts: readonly Modality[];
  readonly schema: JsonObject;
};

/** Labels for common params whose names are unclear to people. */
const LABELS: Readonly<Record<string, string>> = {
  duration_seconds: "Length in seconds",
  fps: "Frames a second",
  count: "How many",
  max_side: "Longer side",
};

/** What values that only programs can tell apart mean: the voices of Flite. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  voice: {
    slt: "Woman, American",
    rms: "Man, American",
    awb: "Man, Scottish",
    kal16: "Man, American, older and plainer",
  },
};

/** The hint for a seed that may be empty, in place of the longer one for programs. */
const DRAWN = "Empty: another work each time. A seed repeats its work.";

/** The params in the order of the schema. */
export function paramsOf(schema: JsonObject): readonly Param[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).flatMap(([name, param]) => {
    if (!isObject(param)) return [];
    const kind = kindOf(param);
    return [
      {
        name,
        field: `param.${name}`,
        kind,
        required: required.includes(name),
        hint: typeof param["description"] === "string" ? param["description"] : undefined,
        fallback: param["default"] === undefined ? "" : toText(param["default"]),
        choices: Array.isArray(param["enum"]) ? param["enum"] : [],
        accepts: kind === "file" ? acceptedBy(param) : [],
        schema: param,
      },
    ];
  });
}

/** As core reads it: one kind, several, or all if none is given. */
function acceptedBy({ "x-accept": accept = MODALITIES }: JsonObject): readonly Modality[] {
  const named = Array.isArray(accept) ? accept : [accept];
  return MODALITIES.filter((kind) => named.includes(kind));
}

function kindOf(param: JsonObject): Param["kind"] {
  if (param["format"] === "atelier-input") return "file";
  if (Array.isArray(param["enum"])) return "choice";
  switch (param["type"]) {
    case "boolean":
      return "switch";
    case "integer":
    case "number":
      return "number";
    case "string":
      return "text";
    default:
      return "json";
  }
}

export function labelOf({ name }: Pick<Param, "name">): string {
  return LABELS[name] ?? label(name);
}

/** `value` is the text that the form sends. */
export function paramField(param: Param, value: string, error: string | undefined): Markup {
  const { field: name, kind, fallback, schema } = param;
  // A field with a default is already filled in, so it is not marked as optional.
  const required = param.required || fallback !== "";
  const common = {
    name,
    label: LABELS[param.name] ?? label(param.name),
    hint: hintOf(param),
    error,
    required,
  };
  switch (kind) {
    case "choice": {
      const options = param.choices.map((choice) => ({
        value: toText(choice),
        label: VALUES[param.name]?.[toText(choice)] ?? label(toText(choice)),
      }));
      const none = required ? [] : [{ value: "", label: "Not set" }];
      return select({ ...common, value, options: [...none, ...options] });
    }
    case "switch":
      return checkbox({
        name,
        label: param.hint === undefined ? common.label : `${common.label}: ${param.hint}`,
        value: "true",
        checked: value === "true",
      });
    case "number":
      return textField({
        ...common,
        type: "number",
        value,
        min: numberOf(schema["minimum"]),
        max: numberOf(schema["maximum"]),
        step: stepOf(schema),
      });
    case "text":
    case "json":
    case "file":
      return textField({ ...common, value });
  }
}

/**
 * Converts the form value to the API value; undefined omits the param. A value that cannot be converted is passed on, and core refuses it.
 */
export function readParam({ kind, choices }: Param, sent: string): unknown {
  if (kind === "switch") return sent === "true";
  if (sent === "") return undefined;
  switch (kind) {
    case "choice":
      return choices.find((choice) => toText(choice) === sent) ?? sent;
    case "number":
      return Number.isNaN(Number(sent)) ? sent : Number(sent);
    case "text":
      return sent;
    case "file":
      return sent.trim();
    case "json":
      return parseJson(sent);
  }
}

/** A value of a request for people to read: true is "yes". */
export function inWords(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return VALUES[name]?.[toText(value)] ?? toText(value);
}

/** A value of an earlier request as the form shows it. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function hintOf({
  name,
  hint: described,
  kind,
  choices,
  schema,
  fallback,
  required,
}: Param): string | undefined {
  // The names say it all.
  if (choices.length > 0 && choices.every((choice) => VALUES[name]?.[toText(choice)])) return undefined;
  const isDrawn = name === "seed" && schema["type"] === "integer" && fallback === "" && !required;
  const hint = isDrawn ? DRAWN : described;
  if (hint !== undefined || kind !== "number")
    return kind === "json" && hint === undefined ? "As JSON." : hint;
  const { minimum, maximum } = schema;
  if (minimum === undefined || maximum === undefined) return undefined;
  return `${toText(minimum)} to ${toText(maximum)}${schema["multipleOf"] === undefined ? "" : `, in steps of ${toText(schema["multipleOf"])}`}`;
}

/** Browsers count steps from the minimum; JSON Schema counts multiples from 0. */
function stepOf({ type, minimum, multipleOf }: JsonObject): string {
  const start = typeof minimum === "number" ? minimum : 0;
  if (typeof multipleOf === "number" && start % multipleOf === 0) return String(multipleOf);
  return type === "integer" && Number.isInteger(start) ? "1" : "any";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
