// Pages about the catalog. Visitors who are not signed in all get the same bytes, cached and validated like the responses of the API; a
// signed-in user gets a page that nothing caches.
import type { FastifyReply, FastifyRequest } from "fastify";
import { asCatalogError } from "../../../edge/catalog-unavailable.ts";
import type { AnswerContent } from "../../catalog/kept-answer.ts";
import { serveKept } from "../../catalog/serve-kept.ts";
import { countAddress } from "../../http/auth.ts";
import { digestOf } from "../../http/etag.ts";
import { PAGE_HEADERS, type Page, renderDocument, renderPage } from "../layout/render-page.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { currentPerson, type Person } from "../session/current-person.ts";

/** A page, and for how long what it tells of the catalog holds. */
export type Document = {
  readonly page: Page;
  readonly revision: string;
  readonly expiresAtMs: number;
};

export type WantedDocument = {
  /** Path and query in the one form that stands for all ways to ask the same. */
  readonly address: string;
  /** What everyone may see where no one is signed in. */
  readonly ask: (person?: Person) => Promise<Document>;
};

/** `read` throws where the address is not right. */
export async function serveDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, limits }: Pick<SiteOptions, "answers" | "limits">,
  read: () => WantedDocument,
): Promise<FastifyReply> {
  const person = await currentPerson(request);
  if (person) {
    await countAddress(request, reply, limits, "catalog");
    const { page } = await read().ask(person).catch(asCatalogError);
    return renderPage(reply.header("vary", "cookie"), { ...page, person });
  }
  const { siteAssets } = request.server;
  const { "content-type": contentType, ...headers } = PAGE_HEADERS;
  const toContent = ({ page, revision, expiresAtMs }: Document): AnswerContent => {
    const html = renderDocument(page, siteAssets);
    return {
      body: Buffer.from(html),
      contentType,
      route: request.routeOptions.url ?? "",
      revision,
      expiresAtMs,
      // It also shows ratings, which change while the revision stays.
      tag: digestOf([html]),
      byRouteOnly: true,
    };
  };
  return serveKept(request, reply, {
    answers,
    limits,
    // Who signs in gets another page under the same address.
    headers: { ...headers, vary: "accept-encoding, cookie" },
    read: () => {
      const { address, ask } = read();
      return { key: `${siteAssets.version} ${address}`, ask: async () => toContent(await ask()) };
    },
  });
}
