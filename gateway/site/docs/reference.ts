// The API reference: a page for each group of operations and one for all schemas, generated from the OpenAPI document.
import type { Document } from "../../openapi/document.ts";
import { TAGS } from "../../openapi/operation.ts";
import { type Markup, html } from "../design/markup.js";
import { DOCS_PATH } from "./chapters.ts";
import type { Language } from "./guide-text.ts";
import { type Operation, operationId, operationSection } from "./operation-section.ts";
import { type Schema, schemaSection, SCHEMAS_PATH } from "./schema-section.ts";
import type { Place } from "./search.ts";

export type ReferencePage = {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly headings: readonly { id: string; text: string }[];
  readonly hasSamples: boolean;
  /** What search finds on the page. */
  readonly places: readonly Place[];
  body(language: Language): Markup;
};

export function referencePages(document: Document): ReferencePage[] {
  const operations = operationsOf(document);
  const groups = Object.entries(TAGS).map(([tag, lead]) =>
    groupPage(
      tag,
      lead,
      operations.filter(({ operation }) => operation.tags.includes(tag)),
    ),
  );
  return [...groups, schemasPage(document)];
}

function operationsOf(document: Document): Operation[] {
  const [server] = document["servers"] as { url: string }[];
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, found]) => {
      const operation = found as unknown as Operation["operation"];
      return { path, method, operation, baseUrl: operation.servers?.[0]?.url ?? server?.url ?? "", document };
    }),
  );
}

function groupPage(title: string, lead: string, operations: readonly Operation[]): ReferencePage {
  const path = `${DOCS_PATH}/api/${title.toLowerCase()}`;
  return {
    path,
    title,
    lead,
    headings: operations.map(({ operation }) => ({ id: operationId(operation), text: operation.summary })),
    hasSamples: true,
    places: operations.map(({ operation, method, path: address }) => ({
      path: `${path}#${operationId(operation)}`,
      title,
      heading: operation.summary,
      text: `${method.toUpperCase()} ${address} ${operation.operationId} ${operation.description ?? ""}`,
    })),
    body: (language) => html`${operations.map((operation) => operationSection(operation, language))}`,
  };
}

function schemasPage({ components: { schemas = {} } }: Document): ReferencePage {
  const all = Object.entries(schemas as Record<string, Schema>);
  const lead = "Every body that is sent or answered, field by field.";
  return {
    path: SCHEMAS_PATH,
    title: "Schemas",
    lead,
    headings: all.map(([name]) => ({ id: name, text: name })),
    hasSamples: false,
    places: all.map(([name, { description = "", properties = {} }]) => ({
      path: `${SCHEMAS_PATH}#${name}`,
      title: "Schemas",
      heading: name,
      text: [description, ...Object.keys(properties)].join(" "),
    })),
    body: () =>
      html`<ul class="docs__codes">
          ${all.map(([name]) => html`<li><a href=${`#${name}`}>${name}</a></li>`)}
        </ul>
        ${all.map(([name, schema]) => schemaSection(name, schema))}`,
  };
}
