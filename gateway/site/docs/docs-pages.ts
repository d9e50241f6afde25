// /docs: a page for each chapter of docs/guide and for each part of the API, with search. Visitors receive the same bytes for the same
// sample language; signed-in persons see the name of their key, and their pages are not cached.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CoreClient } from "../../../proto/client.ts";
import { fromMessages } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { type ApiKeyResource, apiKeySchema } from "../../../proto/resources/api-key.ts";
import type { GatewayApp } from "../../gateway.ts";
import { INDEXED, OPEN } from "../../http/crawlers.ts";
import { sendDocument, type StaticDocument, staticDocument } from "../../http/static-document.ts";
import { type Markup, html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { PAGE_HEADERS, type Page, renderDocument, renderPage } from "../layout/render-page.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { type Person, personCall, viewerOf } from "../session/current-person.ts";
import { DOCS_PATH, loadChapters } from "./chapters.ts";
import { LANGUAGE_COOKIE } from "./code-tabs.ts";
import { type DocsGroup, docsFrame } from "./docs-frame.ts";
import { createDocs, type Docs } from "./docs.ts";
import { type Language, LANGUAGES } from "./guide-text.ts";
import { type Found, MOST_FOUND } from "./search.ts";
import { textForModels } from "./text-for-models.ts";

const pageParams = z.object({ slug: z.string().max(100) });
const searchQuery = z.object({ q: z.string().max(200).catch("") });

export function docsPages(app: GatewayApp, options: SiteOptions): void {
  let made: Docs | undefined;
  // The OpenAPI document exists once all routes are registered.
  const docs = () => (made ??= createDocs(options));
  const kept = new Map<string, StaticDocument>();

  async function send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const language = languageOf(request);
    const person = await viewerOf(app.sessions, request);
    const page = docs().pageAt(path);
    if (!page) throw new AppError("not_found");
    if (person) {
      const isAsked = page.hasSamples && person !== "unknown";
      const note = isAsked && keyNote(await askOwnKey(options.core, request, person));
      reply.header("vary", "cookie");
      return renderPage(reply, { ...page.render({ language, note: note || undefined }), person });
    }
    const key = `${language} ${path}`;
    const document =
      kept.get(key) ??
      documentOf(app, page.render({ language, note: page.hasSamples ? keyNote("visitor") : undefined }));
    kept.set(key, document);
    return sendDocument(request, reply, document);
  }

  let forModels: StaticDocument | undefined;
  app.get("/llms.txt", OPEN, (request, reply) => {
    forModels ??= staticDocument("text/plain; charset=utf-8", textForModels(options, loadChapters(options)));
    return sendDocument(request, reply, forModels);
  });
  app.get(DOCS_PATH, INDEXED, (request, reply) => send(request, reply, DOCS_PATH));
  app.get(
    `${DOCS_PATH}/search`,
    { ...OPEN, schema: { querystring: searchQuery } },
    async (request, reply) => {
      const person = await viewerOf(app.sessions, request);
      const { q } = request.query;
      return renderPage(reply, {
        ...searchPage(docs().find(q), q, docs().groups),
        person,
      });
    },
  );
  app.get(`${DOCS_PATH}/api`, OPEN, (_request, reply) => reply.redirect(`${DOCS_PATH}#api-reference`, 302));
  app.get(`${DOCS_PATH}/:slug`, { ...OPEN, schema: { params: pageParams } }, (request, reply) =>
    send(request, reply, `${DOCS_PATH}/${request.params.slug}`),
  );
  app.get(`${DOCS_PATH}/api/:slug`, { ...OPEN, schema: { params: pageParams } }, (request, reply) =>
    send(request, reply, `${DOCS_PATH}/api/${request.params.slug}`),
  );
}

function documentOf({ siteAssets }: GatewayApp, page: Page): StaticDocument {
  const { "content-type": contentType, ...headers } = PAGE_HEADERS;
  return staticDocument(contentType, renderDocument(page, siteAssets), {
    ...headers,
    vary: "accept-encoding, cookie",
  });
}

function languageOf({ headers: { cookie = "" } }: FastifyRequest): Language {
  const [, chosen = ""] = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(cookie) ?? [];
  return Object.hasOwn(LANGUAGES, chosen) ? (chosen as Language) : "bash";
}

const KEYS_PATH = "/account/keys";

/** "visitor" means not signed in; undefined means no active key. */
type OwnKey = Pick<ApiKeyResource, "name" | "masked"> | "visitor" | undefined;

/** The newest active key, preferably with write access. */
async function askOwnKey(core: CoreClient, request: FastifyRequest, person: Person): Promise<OwnKey> {
  const { keys } = await core.accounts.ListKeys({}, personCall(request, person));
  const now = new Date().toISOString();
  const live = fromMessages(apiKeySchema, keys)
    .filter(({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at > now))
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return live.find(({ scope }) => scope === "write") ?? live[0];
}

/** No key is stored in plain text, so the note has the name of the reader's key and a link to create one. */
function keyNote(key: OwnKey): Markup {
  const variable = html`<code>ATELIER_KEY</code>`;
  if (key === "visitor")
    return note(
      html`Samples read your key from ${variable}.${" "}
        <a href=${`/sign-in?next=${KEYS_PATH}`}>Sign in to make one</a>.`,
    );
  if (key === undefined)
    return note(
      html`Samples read your key from ${variable}. You have none yet: <a href=${KEYS_PATH}>make one</a>.`,
    );
  const own = html`<strong>${key.name}</strong> (<code>${key.masked}</code>)`;
  const another = html`<a href=${KEYS_PATH}>make another</a>`;
  return note(
    html`Samples read your key from ${variable}: put ${own} there. It was shown once, when it was made; if it
    is lost, ${another}.`,
  );
}

function note(text: Markup): Markup {
  return html`<p class="docs__key">${text}</p>`;
}

function searchPage(found: readonly Found[], query: string, groups: readonly DocsGroup[]): Page {
  const path = `${DOCS_PATH}/search`;
  return {
    title: query === "" ? "Search the docs" : `“${query}” in the docs`,
    path,
    styles: ["docs.css"],
    body: docsFrame({
      groups,
      path,
      query,
      title: "Search the docs",
      lead: leadFor(found.length, query),
      headings: [],
      body: query === "" ? html`` : results(found, query),
    }),
  };
}

function leadFor(count: number, query: string): string {
  if (query === "") return "Words of a chapter, the name of a field, the code of an error.";
  if (count === MOST_FOUND) return `The ${MOST_FOUND} best places for “${query}”.`;
  return `${count === 1 ? "1 place" : `${count} places`} for “${query}”.`;
}

function results(found: readonly Found[], query: string): Markup {
  if (found.length === 0)
    return emptyState({
      title: `Nothing about “${query}”`,
      body: "Try fewer words, or another name for the same thing.",
      action: html`<a href=${DOCS_PATH}>All chapters</a>`,
    });
  return html`<ol class="docs-search__found">
    ${found.map(
      ({ path, title, heading, excerpt }) =>
        html`<li>
          <a href=${path}>${heading === "" ? title : `${title}: ${heading}`}</a>
          <p class="note">
            ${excerpt.map((piece, i) => (i % 2 === 1 ? html`<mark>${piece}</mark>` : piece))}
          </p>
        </li>`,
    )}
  </ol>`;
}
