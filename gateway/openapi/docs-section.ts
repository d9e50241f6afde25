// Parts of the API reference: one operation, one schema.
import { escaped, type Html } from "../../runtime/html.ts";
import type { Document } from "./document.ts";

type Schema = {
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
type Media = { schema?: Schema; example?: unknown };
type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema?: Schema;
};
type Response = { description?: string; headers?: object; content?: Record<string, Media> };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: object[];
  servers?: { url: string }[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};
/** An operation of the document, with its address. */
export type Member = { path: string; method: string; operation: Operation };

export function membersOf(document: Document): Member[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation: operation as unknown as Operation,
    })),
  );
}

const SCHEMA_REF = /^#\/components\/schemas\/(.+)$/;
const EXAMPLE_KEY = "$ATELIER_KEY";

export function operationSection({ path, method, operation }: Member, document: Document): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = Object.entries(requestBody?.content ?? {});
  return escaped`<section id="operation-${operationId}">
    <h3>${summary}</h3>
    <p>
      <code><span class="method">${method.toUpperCase()}</span> ${path}</code>
    </p>
    <p>${prose(description)}</p>
    ${security(operation)}
    ${
      parameters.length > 0
        ? escaped`<h4>Parameters</h4>
            ${table(parameters.map(parameterRow))}`
        : undefined
    }
    ${body.map(
      ([type, media]) =>
        escaped`<h4>Body</h4>
          <p><code>${type}</code>: ${typeOf(media.schema)}</p>
          ${example(media.example)}`,
    )}
    <pre tabindex="0">${curl({ path, method, operation }, document, body[0]?.[1].example)}</pre>
    <h4>Answers</h4>
    ${Object.entries(responses).map(([status, response]) => responsePart(status, response))}
  </section> `;
}

export function schemaSection(name: string, schema: Schema): Html {
  const { description, properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([field, property]) => ({
    name: field,
    note: required.includes(field) ? "" : "optional",
    type: typeOf(property),
    text: property.description,
    deprecated: property.deprecated === true,
  }));
  return escaped`<section id="schema-${name}">
    <h3>${name}</h3>
    <p>${prose(description)}</p>
    ${rows.length > 0 ? table(rows) : escaped`<p>${typeOf(schema)}</p>`}
  </section> `;
}

type Row = { name: string; note: string; type: Html; text: string | undefined; deprecated: boolean };

function parameterRow({ name, in: place, required, deprecated, description, schema = {} }: Parameter): Row {
  const bounds = [
    schema.minimum === undefined ? "" : `from ${schema.minimum}`,
    schema.maximum === undefined ? "" : `to ${schema.maximum}`,
    schema.maxLength === undefined ? "" : `at most ${schema.maxLength} characters`,
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== "");
  return {
    name,
    note: [place, required === true ? "required" : "optional"].join(", "),
    type: escaped`${typeOf(schema)}${bounds.length > 0 ? ` (${bounds.join(", ")})` : ""}`,
    text: description,
    deprecated: deprecated === true,
  };
}

function table(rows: readonly Row[]): Html {
  return escaped`<table>
    ${rows.map(
      ({ name, note, type, text, deprecated }) =>
        escaped`<tr>
          <th scope="row">
            <code>${name}</code>${deprecated ? escaped`<br /><span class="note">deprecated</span>` : undefined}
          </th>
          <td>${type}<br /><span class="note">${note}</span></td>
          <td>${prose(text)}</td>
        </tr> `,
    )}
  </table>`;
}

function responsePart(status: string, { description, headers = {}, content = {} }: Response): Html {
  const media = Object.entries(content).filter(([type]) => type !== "application/problem+json");
  const names = Object.keys(headers).join(", ");
  return escaped`<p>
      <b>${status}</b>
      ${prose(description)}${names === "" ? undefined : escaped` <span class="note">Headers: ${names}.</span>`}
    </p>
    ${media.map(([type, { schema, example: shown }]) => escaped`${Number(status) < 400 ? escaped`<p><code>${type}</code>: ${typeOf(schema)}</p>` : undefined}${example(shown)}`)}`;
}

function example(value: unknown): Html | undefined {
  if (value === undefined) return undefined;
  return escaped`<pre tabindex="0">${typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>`;
}

function security({ security: asked = [] }: Operation): Html {
  const schemes = asked.flatMap((scheme) => Object.keys(scheme));
  if (schemes.length === 0) return escaped`<p class="note">Needs no key.</p>`;
  return escaped`<p class="note">
    Needs ${schemes.includes("signedUrl") ? "a generation key or the signed address" : "a generation key"}.
  </p>`;
}

function curl({ path, method, operation }: Member, document: Document, body: unknown): string {
  const [server] = operation.servers ?? (document["servers"] as { url: string }[]);
  const parts = [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}'${server?.url ?? ""}${path}'`,
  ];
  if ((operation.security ?? []).length > 0) parts.push(`-H "Authorization: Bearer ${EXAMPLE_KEY}"`);
  if (body !== undefined) parts.push("-H 'content-type: application/json'", `-d '${JSON.stringify(body)}'`);
  return parts.join(" \\\n  ");
}

/** In a few words, with the way to the schema that has a name. */
function typeOf(schema: Schema = {}): Html {
  const { $ref, type, format, items, anyOf, oneOf, enum: values, const: value, properties } = schema;
  const name = SCHEMA_REF.exec($ref ?? "")?.[1];
  if (name !== undefined) return escaped`<a href="#schema-${name}">${name}</a>`;
  if (value !== undefined) return escaped`<code>${JSON.stringify(value)}</code>`;
  if (values)
    return join(
      values.map((one) => escaped`<code>${String(one)}</code>`),
      ", ",
    );
  const choices = anyOf ?? oneOf;
  if (choices)
    return join(
      choices.map((choice) => typeOf(choice)),
      " or ",
    );
  if (type === "array") return escaped`list of ${typeOf(items)}`;
  if (type === "object" && properties !== undefined) {
    const fields = Object.entries(properties);
    return escaped`{
    ${join(
      fields.map(([field, property]) => escaped`<code>${field}</code>: ${typeOf(property)}`),
      ", ",
    )}
    }`;
  }
  const words = Array.isArray(type) ? type.join(" or ") : (type ?? "anything");
  return escaped`${words}${format === undefined ? "" : ` (${format})`}`;
}

function join(parts: readonly Html[], separator: string): Html {
  return escaped`${parts.map((part, i) => (i === 0 ? part : escaped`${separator}${part}`))}`;
}

/** Text with `code` in it. */
function prose(text = ""): Html {
  const parts = text.split("`");
  return escaped`${parts.map((part, i) => (i % 2 === 1 ? escaped`<code>${part}</code>` : escaped`${part}`))}`;
}
