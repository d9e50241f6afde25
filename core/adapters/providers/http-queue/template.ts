// Fills templates of the configuration: {prompt}, {params.size}. This file is pure.
import { FIELD } from "../../../../runtime/config/http-queue-settings.ts";

/** The fields that a template may name; nested values with dots. */
export type Values = Readonly<Record<string, unknown>>;

/** Names that stand for several segments of a path. */
const WITH_SLASHES = new Set(["model", "modelRoot"]);

/** Replaces each field in a text; undefined if one of them is missing. */
export function fillText(
  template: string,
  values: Values,
  encode: (value: string, name: string) => string = (value) => value,
): string | undefined {
  let isWhole = true;
  const filled = template.replace(FIELD, (_match, name: string) => {
    const value = valueOf(values, name);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return encode(String(value), name);
    isWhole = false;
    return "";
  });
  return isWhole ? filled : undefined;
}

/** A path, or a whole address if the field at its beginning holds one. */
export function fillPath(template: string, values: Values): string | undefined {
  let isFirst = template.startsWith("{");
  return fillText(template, values, (value, name) => {
    const isAddress = isFirst && /^https?:\/\//i.test(value);
    isFirst = false;
    if (isAddress) return value;
    return WITH_SLASHES.has(name)
      ? value.split("/").map(encodeURIComponent).join("/")
      : encodeURIComponent(value);
  });
}

/**
 * Fills JSON: a text that consists of one field becomes that field's value, of whatever type; entries that name a missing field are left
 * out. The fields of the objects that `"..."` lists become fields of the object itself; later ones win.
 */
export function fillJson(template: unknown, values: Values): unknown {
  if (typeof template === "string") {
    const [, only] = /^\{([\w.]+)\}$/.exec(template) ?? [];
    return only === undefined ? fillText(template, values) : valueOf(values, only);
  }
  if (Array.isArray(template))
    return template.map((item) => fillJson(item, values)).filter((item) => item !== undefined);
  if (typeof template !== "object" || template === null) return template;
  const entries = Object.entries(template).flatMap(([name, part]): [string, unknown][] => {
    const value = fillJson(part, values);
    if (name !== "...") return value === undefined ? [] : [[name, value]];
    return [value].flat().flatMap((fields) => Object.entries(isObject(fields) ? fields : {}));
  });
  return Object.fromEntries(entries);
}

/** For example, "fal-ai/flux/dev" belongs to "fal-ai/flux". */
export function modelRoot(model: string): string {
  return model.split("/").slice(0, 2).join("/");
}

function valueOf(values: Values, name: string): unknown {
  let value: unknown = values;
  for (const part of name.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value ?? undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
