// Schemas of the OpenAPI document in words: fields and their types.
import { type Children, type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { DOCS_PATH } from "./chapters.ts";
import { inline } from "./render-blocks.ts";

export const SCHEMAS_PATH = `${DOCS_PATH}/api/schemas`;

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  deprecated?: boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
};

const REF = /^#\/components\/schemas\/(.+)$/;

export function schemaSection(name: string, schema: Schema): Markup {
  return html`<section class="stack docs__operation" aria-labelledby=${name}>
    <h2 id=${name}><a class="docs__anchor" href=${`#${name}`}>${name}</a></h2>
    ${schema.description && html`<p>${inline(schema.description)}</p>`}
    ${schema.properties ? fieldTable(schema, `Fields of ${name}`) : html`<p>${typeOf(schema)}</p>`}
  </section>`;
}

/** The fields of an object with their types. */
export function fieldTable({ properties = {}, required = [] }: Schema, caption: string): Markup {
  return table({
    caption,
    columns: ["Field", "Type", "Meaning"],
    rows: Object.entries(properties).map(([name, property]) => [
      fieldName(name, {
        isDeprecated: property.deprecated === true,
        note: required.includes(name) ? "" : "optional",
      }),
      html`<span>${typeOf(property)}${bounds(property)}</span>`,
      html`<span>${inline(property.description ?? "")}</span>`,
    ]),
  });
}

export function fieldName(
  name: string,
  { isDeprecated, note }: { isDeprecated: boolean; note: string },
): Markup {
  const notes = [note, isDeprecated ? "deprecated" : ""].filter((text) => text !== "").join(", ");
  return html`<span><code>${name}</code>${notes && html`<br /><span class="note">${notes}</span>`}</span>`;
}

export function bounds({ minimum, maximum, maxLength, default: fallback }: Schema): string {
  const all = [
    minimum === undefined ? "" : `from ${minimum}`,
    maximum === undefined ? "" : `to ${maximum}`,
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ].filter((text) => text !== "");
  return all.length === 0 ? "" : ` (${all.join(", ")})`;
}

/** The type in a few words, with a link if the schema has a name. */
export function typeOf(schema: Schema = {}): Children {
  const { $ref, type, format, items, anyOf, oneOf, enum: values, const: value, properties } = schema;
  const name = nameOf($ref);
  if (name !== undefined) return html`<a href=${`${SCHEMAS_PATH}#${name}`}>${name}</a>`;
  if (value !== undefined) return html`<code>${JSON.stringify(value)}</code>`;
  if (values)
    return separated(
      values.map((one) => html`<code>${String(one)}</code>`),
      ", ",
    );
  const choices = anyOf ?? oneOf;
  if (choices) return separated(choices.map(typeOf), " or ");
  if (type === "array") return ["list of ", typeOf(items)];
  if (type === "object" && properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([field, property]) => html`<code>${field}</code>: ${typeOf(property)}`,
    );
    return ["{ ", separated(fields, ", "), " }"];
  }
  const words = Array.isArray(type) ? type.join(" or ") : (type ?? "anything");
  return `${words}${format === undefined ? "" : ` (${format})`}`;
}

/** The name of a referenced schema. */
export function nameOf(ref: string | undefined): string | undefined {
  return REF.exec(ref ?? "")?.[1];
}

function separated(parts: readonly Children[], by: string): Children {
  return parts.map((part, i) => (i === 0 ? part : [by, part]));
}
