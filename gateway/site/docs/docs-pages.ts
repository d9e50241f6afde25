// /docs: a page for each chapter of docs/guide and for each part of the API, with search. Visitors receive the same bytes for the same
// sample language; signed-in persons see the name of their key, and their pages are not cached.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import type { GatewayApp } from "../../gateway.ts";
import { sendDocument, type StaticDocument, staticDocument } from "../../http/static-document.ts";
import { PAGE_HEADERS, type Page, renderDocument, renderPage } from "../layout/render-page.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { currentPerson } from "../session/current-person.ts";
import { DOCS_PATH, loadChapters } from "./chapters.ts";
import { LANGUAGE_COOKIE } from "./code-tabs.ts";
import { createDocs, type Docs } from "./docs.ts";
import { type Language, LANGUAGES } from "./guide-text.ts";
import { askOwnKey, keyNote } from "./own-key.ts";
import { searchPage } from "./search-page.ts";
import { textForModels } from "./text-for-models.ts";
import { INDEXED, OPEN } from "../../http/crawlers.ts";

const pageParams = z.object({ slug: z.string().max(100) });
const searchQuery = z.object({ q: z.string().max(200).catch("") });

export function docsPages(app: GatewayApp, options: SiteOptions): void {
  let made: Docs | undefined;
  // The OpenAPI document exists once all routes are registered.
  const docs = () => (made ??= createDocs(options));
  const kept = new Map<string, StaticDocument>();

  async function send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const language = languageOf(request);
    const person = await currentPerson(request);
    const page = docs().pageAt(path);
    if (!page) throw new AppError("not_found");
    if (person) {
      const note = page.hasSamples && keyNote(await askOwnKey(options.core, request, person));
      reply.header("vary", "cookie");
      return renderPage(reply, { ...page.render({ language, note: note || undefined }), person });
    }
    const key = `${language} ${path}`;
    const document =
      kept.get(key) ??
      documentOf(app, page.render({ language, note: page.hasSamples ? keyNote("nobody") : undefined }));
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
      const person = await currentPerson(request);
      const { q } = request.query;
      return renderPage(reply, {
        ...searchPage(docs().find(q), q, docs().groups),
        ...(person && { person }),
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
