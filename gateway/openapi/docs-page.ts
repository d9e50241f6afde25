// /docs: the API reference as one page that is written here from the OpenAPI document. No script and nothing from elsewhere, so that
// the policy can forbid both and the page can be read by anything, with a browser or without.
import { createHash } from "node:crypto";
import { ERROR_TABLE } from "../../proto/codes.ts";
import { membersOf, operationSection, schemaSection } from "./docs-section.ts";
import { escaped, Html } from "../../runtime/html.ts";
import type { Document } from "./document.ts";
import { TAGS } from "./operation.ts";

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#faf8f4, #141311); --ink: light-dark(#1f1c18, #f3efe8); --quiet: light-dark(#5c554b, #b7afa3); --line: light-dark(#ddd6ca, #3a362f); --soft: light-dark(#f1ede5, #1d1b18); --accent: light-dark(#a83f1b, #f0916a); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 0 1.25rem 4rem; font: 16px/1.55 system-ui, sans-serif; background: var(--paper); color: var(--ink); display: grid; gap: 0 3rem; grid-template-columns: 15rem minmax(0, 1fr); }
header { grid-column: 1 / -1; }
h1, h2, h3 { line-height: 1.2; }
.site { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0; padding: .75rem 0; list-style: none; border-bottom: 1px solid var(--line); }
.site a { display: inline-block; padding: .5rem 0; color: var(--quiet); font-weight: 500; text-decoration: none; }
.site li:first-child a { color: var(--ink); font-weight: 700; }
.site a[aria-current] { color: var(--accent); }
.contents { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1rem 0; font-size: .875rem; align-self: start; }
.contents ul { list-style: none; margin: 0 0 1rem; padding: 0; }
.contents b { display: block; margin: .5rem 0 .25rem; }
.contents a { display: block; padding: .125rem 0; text-decoration: none; }
a { color: inherit; text-decoration-color: var(--accent); }
section { border-top: 1px solid var(--line); padding: 1rem 0; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; }
pre { background: var(--soft); padding: .75rem 1rem; overflow: auto; border-radius: .375rem; max-height: 24rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); }
dt { margin-top: .75rem; }
dd { margin: 0; }
.method { color: var(--accent); font-weight: 700; }
.note { color: var(--quiet); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
:target { scroll-margin-top: 1rem; outline: 2px solid var(--accent); outline-offset: .375rem; }
@media (max-width: 50rem) { body { display: block; } code, th, td, dt, dd, h3 { overflow-wrap: anywhere; } pre, pre code { overflow-wrap: normal; } .contents { position: static; max-height: none; } }
`;

// Whole, so that nothing puts white space into what the hash is of.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

export type DocsPage = { html: string; contentSecurityPolicy: string };

export function docsPage(document: Document): DocsPage {
  const operations = membersOf(document);
  const groups = Object.entries(TAGS).map(([tag, description]) => ({
    tag,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag)),
  }));
  const schemas = Object.entries(document.components.schemas ?? {});
  const page = escaped`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Atelier API</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <nav aria-label="Main">
            <ul class="site">
              <li><a href="/">Atelier</a></li>
              <li><a href="/products">Products</a></li>
              <li><a href="/generate">Generate</a></li>
              <li><a href="/connect">Connect</a></li>
              <li><a href="/docs" aria-current="page">Docs</a></li>
            </ul>
          </nav>
          <h1>Atelier API</h1>
          <p>
            Catalog and generation over REST. As a document for programs:
            <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1.1). For assistants:
            <a href="/llms.txt">/llms.txt</a>.
          </p>
        </header>
        ${contents(
          groups,
          schemas.map(([name]) => name),
        )}
        <main>
          ${groups.map(
            ({ tag, description, operations: members }) =>
              escaped`<h2>${tag}</h2>
                <p>${description}</p>
                ${members.map((member) => operationSection(member, document))}`,
          )}
          <h2 id="errors">Errors</h2>
          <p>
            Every error is an <a href="#schema-ApiError">ApiError</a>. Its code never changes its meaning;
            messages may.
          </p>
          ${errorList()}
          <h2>Schemas</h2>
          ${schemas.map(([name, schema]) => schemaSection(name, schema as object))}
        </main>
      </body>
    </html> `;
  const styleHash = createHash("sha256").update(STYLE).digest("base64");
  return {
    html: page.text,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

type Group = { tag: string; operations: ReturnType<typeof membersOf> };

function contents(groups: readonly Group[], schemaNames: readonly string[]): Html {
  const link = (id: string, text: string) => escaped`<li><a href="#${id}">${text}</a></li>`;
  return escaped`<nav class="contents" aria-label="Contents">
    ${groups.map(
      ({ tag, operations }) =>
        escaped`<b>${tag}</b>
          <ul>
            ${operations.map(({ operation }) => link(`operation-${operation.operationId}`, operation.summary))}
          </ul>`,
    )}
    <b>Reference</b>
    <ul>
      ${link("errors", "Errors")}${schemaNames.map((name) => link(`schema-${name}`, name))}
    </ul>
  </nav>`;
}

function errorList(): Html {
  return escaped`<dl>
    ${Object.entries(ERROR_TABLE).map(
      ([code, row]) =>
        escaped`<dt id="${code}"><code>${code}</code> (${row.http})</dt>
          <dd>${row.message} ${row.hint}</dd>`,
    )}
  </dl>`;
}
