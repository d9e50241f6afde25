// One operation of the API: its address, parameters, a request to copy, and its responses.
import {
  curlSample,
  type GenerateBody,
  generateSamples,
  goSample,
  javascriptSample,
  pythonSample,
} from "../../answers/code-samples.ts";
import type { Document } from "../../openapi/document.ts";
import { type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { DOCS_PATH } from "./chapters.ts";
import { codeBlock, codeTabs } from "./code-tabs.ts";
import type { Language } from "./guide-text.ts";
import { inline } from "./render-blocks.ts";
import { bounds, fieldName, fieldTable, nameOf, type Schema, typeOf } from "./schema-section.ts";

type Media = { schema?: Schema; example?: unknown; examples?: object };
type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema?: Schema;
};
const PLACES = ["path", "query", "header"];
type Response = { description?: string; headers?: object; content?: Record<string, Media> };

/** An operation of the document with its address. */
export type Operation = {
  readonly path: string;
  readonly method: string;
  readonly baseUrl: string;
  readonly document: Document;
  readonly operation: {
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
};

export function operationId({ operationId: id }: Operation["operation"]): string {
  return `operation-${id}`;
}

export function operationSection(found: Operation, language: Language): Markup {
  const { path, method, operation } = found;
  const { summary, description = "", parameters = [], requestBody, responses } = operation;
  const id = operationId(operation);
  const [body] = Object.entries(requestBody?.content ?? {});
  return html`<section class="stack docs__operation" aria-labelledby=${id}>
    <h2 id=${id}><a class="docs__anchor" href=${`#${id}`}>${summary}</a></h2>
    <p class="docs__address">
      <span class="badge badge--accent">${method.toUpperCase()}</span> <code>${path}</code>
      <span class="note">${securityWords(operation)}</span>
    </p>
    <p>${inline(description)}</p>
    ${parameters.length > 0 && parameterTable(parameters, summary)} ${body && bodyPart(body, found)}
    ${codeTabs({ id: `${id}-request`, heading: summary, language, samples: requestsOf(found, body?.[1].example) })}
    ${Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => answerPart(status, response, id))}
    ${errorPart(responses)}
  </section>`;
}

function parameterTable(parameters: readonly Parameter[], summary: string): Markup {
  return table({
    caption: `Parameters: ${summary}`,
    columns: ["Parameter", "Type", "Meaning"],
    rows: [...parameters]
      .sort(byPlace)
      .map(({ name, in: place, required, deprecated, description = "", schema = {} }) => [
        fieldName(name, {
          isDeprecated: deprecated === true,
          note: [place, required === true ? "required" : ""].filter((word) => word !== "").join(", "),
        }),
        html`<span>${typeOf(schema)}${bounds(schema)}</span>`,
        html`<span>${inline(description)}</span>`,
      ]),
  });
}

/** The path with example values. */
function byPlace(a: Parameter, b: Parameter): number {
  return PLACES.indexOf(a.in) - PLACES.indexOf(b.in);
}

/** Each field of the request, so that no other page is needed to send it. */
function bodyPart([type, { schema = {} }]: [string, Media], { document, operation }: Operation): Markup {
  const named = nameOf(schema.$ref);
  const whole = named === undefined ? schema : (document.components.schemas?.[named] as Schema | undefined);
  return whole?.properties
    ? fieldTable(whole, `Body of ${operation.operationId}, ${type}`)
    : html`<p>The body, <code>${type}</code>: ${typeOf(schema)}.</p>`;
}

function answerPart(
  status: string,
  { description = "", headers = {}, content = {} }: Response,
  id: string,
): Markup {
  const names = Object.keys(headers).join(", ");
  const media = Object.entries(content);
  const shown = media.find(([, { example }]) => example !== undefined);
  const text =
    typeof shown?.[1].example === "string" ? shown[1].example : JSON.stringify(shown?.[1].example, null, 2);
  return html`<details class="docs__answer">
    <summary><span class="badge badge--success">${status}</span> ${inline(description)}</summary>
    ${media.map(([type, { schema }]) => html`<p><code>${type}</code>: ${typeOf(schema)}</p>`)}
    ${names !== "" && html`<p class="note">Headers: ${names}.</p>`}
    ${shown && codeBlock({ id: `${id}-${status}`, language: "json", text, heading: `${status} of ${id}` })}
  </details>`;
}

/** The responses by error code, with links to their explanations. */
function errorPart(responses: Record<string, Response>): Markup | false {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const codes = errors.flatMap(([status, { content = {} }]) =>
    Object.keys(content["application/json"]?.examples ?? {}).map((code) => ({ status, code })),
  );
  return (
    codes.length > 0 &&
    html`<p class="docs__errors note">
      Errors:${" "}
      ${codes.map(({ status, code }, i) => html`${i > 0 && ", "}<a href=${`${DOCS_PATH}/errors#${code}`}>${status} ${code}</a>`)}.
    </p>`
  );
}

function securityWords({ security = [] }: Operation["operation"]): string {
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  if (schemes.length === 0) return "Needs no key";
  return schemes.includes("signedUrl") ? "With a key, or by its signed address" : "With a key";
}

/** The request in each language. */
function requestsOf(
  { path, method, operation, baseUrl }: Operation,
  body: unknown,
): { language: Language; text: string }[] {
  const call = {
    method: method.toUpperCase(),
    url: baseUrl + path,
    hasKey: (operation.security ?? []).length > 0,
    ...(body !== undefined && { body }),
  };
  const go = { language: "go", text: goSample(call) } as const;
  if (operation.operationId === "connectGenerate")
    return [
      ...generateSamples(body as GenerateBody, { generationBaseUrl: baseUrl }).flatMap(({ id, code }) =>
        id === "mcp" ? [] : [{ language: id === "curl" ? "bash" : id, text: code } as const],
      ),
      go,
    ];
  return [
    { language: "bash", text: curlSample(call) },
    { language: "javascript", text: javascriptSample(call) },
    { language: "python", text: pythonSample(call) },
    go,
  ];
}
