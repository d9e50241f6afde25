// The params of a model as fields of a form, made from its JSON Schema, and what was entered as values for the tools. The service checks
// the values; a field only helps to enter them.
import { element, inWords } from "./elements.js";
import { isObject } from "./host.js";

/** @typedef {Record<string, unknown>} Json */
/** @typedef {{ field: HTMLElement, read: () => unknown }} Param `read` answers undefined for what is left out. */

/** Labels of common params with unclear names. */
const LABELS = new Map([
  ["duration_seconds", "Length in seconds"],
  ["fps", "Frames a second"],
  ["count", "How many"],
  ["max_side", "Longer side"],
]);

/**
 * Params of a schema by their names, in its own order.
 * @param {unknown} schema
 * @returns {Map<string, Param>}
 */
export function paramsOf(schema) {
  const properties = isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {};
  const required = isObject(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  const params = Object.entries(properties).flatMap(([name, param]) =>
    isObject(param) ? [/** @type {const} */ ([name, paramField(name, param, required.includes(name))])] : [],
  );
  return new Map(params);
}

/**
 * @param {string} name
 * @param {Json} schema
 * @param {boolean} required
 * @returns {Param}
 */
function paramField(name, schema, required) {
  const { type, format, default: fallback, description, minimum, maximum } = schema;
  const label = LABELS.get(name) ?? inWords(name);
  const hint = typeof description === "string" ? description : rangeOf(minimum, maximum);
  const id = `param-${name}`;
  const common = { id, name, required, "aria-describedby": hint === undefined ? undefined : `${id}-hint` };
  const choices = Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  if (choices) {
    const none = required || fallback !== undefined ? [] : [option("", "Not set", true)];
    const options = choices.map((choice, index) =>
      option(String(index), inWords(shown(choice)), choice === fallback),
    );
    const input = element("select", common, ...none, ...options);
    return { field: labelled(id, label, hint, input), read: () => choices[indexOf(valueOf(input))] };
  }
  if (type === "boolean") {
    const input = element("input", {
      ...common,
      required: false,
      type: "checkbox",
      checked: fallback === true,
    });
    return {
      field: labelled(id, label, hint, input),
      read: () => input instanceof HTMLInputElement && input.checked,
    };
  }
  if (type === "integer" || type === "number") {
    const limits = { min: numberOf(minimum), max: numberOf(maximum), step: type === "integer" ? 1 : "any" };
    const input = element("input", { ...common, ...limits, type: "number", value: shown(fallback) });
    return { field: labelled(id, label, hint, input), read: () => readNumber(valueOf(input)) };
  }
  const isText = type === "string";
  const input = element("input", { ...common, type: "text", value: shown(fallback), maxlength: 4000 });
  const help =
    format === "atelier-input"
      ? "An https address, an upload_id or an output_id."
      : isText
        ? hint
        : "As JSON.";
  return {
    field: labelled(id, label, help ?? hint, input),
    read: () => (isText ? valueOf(input).trim() || undefined : readJson(valueOf(input))),
  };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string | undefined} hint
 * @param {HTMLElement} input
 */
export function labelled(id, label, hint, input) {
  const hints = hint === undefined ? [] : [element("small", { id: `${id}-hint` }, hint)];
  if (hints.length > 0) input.setAttribute("aria-describedby", `${id}-hint`);
  return element("div", { class: "field" }, element("label", { for: id }, label), input, ...hints);
}

/**
 * @param {string} value
 * @param {string} label
 * @param {boolean} selected
 */
export function option(value, label, selected = false) {
  return element("option", { value, selected }, label);
}

/** @param {Element} input */
export function valueOf(input) {
  const isField =
    input instanceof HTMLInputElement ||
    input instanceof HTMLSelectElement ||
    input instanceof HTMLTextAreaElement;
  return isField ? input.value : "";
}

/** @param {unknown} value */
function shown(value) {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** @param {string} value */
function indexOf(value) {
  return value === "" ? -1 : Number(value);
}

/**
 * What is no number is passed on, and refused in words.
 * @param {string} value
 */
function readNumber(value) {
  if (value === "") return undefined;
  return Number.isNaN(Number(value)) ? value : Number(value);
}

/** @param {string} value */
function readJson(value) {
  if (value === "") return undefined;
  try {
    return /** @type {unknown} */ (JSON.parse(value));
  } catch {
    return value;
  }
}

/** @param {unknown} value */
function numberOf(value) {
  return typeof value === "number" ? value : undefined;
}

/**
 * @param {unknown} minimum
 * @param {unknown} maximum
 */
function rangeOf(minimum, maximum) {
  return typeof minimum === "number" && typeof maximum === "number" ? `${minimum} to ${maximum}` : undefined;
}
