// Documents by which programs find their way: /.well-known/api-catalog (RFC 9727), the cards of the tool endpoints and /sitemap.xml; and
// those that browsers, crawlers and security researchers ask any site for.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Addresses } from "../../edge/guide.ts";
import { aiCatalog, CARD_TYPE, cardPath, serverCard, TOOL_SERVERS } from "../../edge/tool-servers.ts";
import type { CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { parseQuery } from "../../proto/resources/issues.ts";
import type { SlugEntry } from "../../proto/types/atelier/v1/SlugEntry.ts";
import { escape } from "../../runtime/html.ts";
import type { AnswerContent } from "../catalog/kept-answer.ts";
import { CATALOG_DEADLINE_MS, type KeptAnswers } from "../catalog/kept-answers.ts";
import { serveKept } from "../catalog/serve-kept.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { type CrawledPaths, OPEN } from "../http/crawlers.ts";
import { queryInteger } from "../http/query.ts";
import { sendDocument, type StaticDocument, staticDocument } from "../http/static-document.ts";

const API_CATALOG_PATH = "/.well-known/api-catalog";
const AI_CATALOG_PATH = "/.well-known/ai-catalog.json";
const AI_CATALOG = "application/ai-catalog+json";
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const SECURITY_PATH = "/.well-known/security.txt";
const PLAIN = "text/plain; charset=utf-8";
/** The RFC asks for less than a year. */
const SECURITY_DAYS = 180;
const DAY_MS = 24 * 3_600_000;
const ICON_HEADERS = {
  "cache-control": "public, max-age=86400",
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
};
const SITEMAP_PATH = "/sitemap.xml";
/** The protocol allows 50,000; fewer keep each answer small. */
const SITEMAP_PAGE = 10_000;
const XML = "application/xml; charset=utf-8";
const SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

const sitemapQuery = z.object({ page: queryInteger(1, 1_000_000).optional() });
const hidden = { schema: { hide: true } };

export function siteDocumentRoutes(
  app: GatewayApp,
  answers: KeptAnswers,
  crawled: CrawledPaths,
  options: GatewayOptions,
): void {
  const { core, limits, baseUrl } = options;
  const apiCatalog = staticDocument(LINKSET, JSON.stringify(linksetOf(options)), {
    link: `<${baseUrl}${API_CATALOG_PATH}>; rel="api-catalog"`,
  });
  const config = { access: PUBLIC };
  const documents = new Map([[API_CATALOG_PATH, apiCatalog], ...serverDocuments(options)]);
  for (const [path, document] of documents)
    app.get(path, { config, ...hidden }, (request, reply) => sendDocument(request, reply, document));
  customDocuments(app, crawled, options);
  app.get(SITEMAP_PATH, { ...OPEN, ...hidden }, (request, reply) =>
    serveKept(request, reply, {
      answers,
      limits,
      read: () => {
        const { page } = parseQuery(sitemapQuery, { ...(request.query as object) });
        return {
          key: `${SITEMAP_PATH}?page=${page ?? ""}`,
          ask: () => askSitemap(core, { page, baseUrl, pages: crawled.indexed }, callFor(request)),
        };
      },
    }),
  );
}

/** What announces the tool endpoints (drafts: MCP server cards and AI catalog). */
function serverDocuments(addresses: Addresses): [path: string, StaticDocument][] {
  const cards = Object.values(TOOL_SERVERS).map((server): [string, StaticDocument] => [
    cardPath(server),
    staticDocument(CARD_TYPE, JSON.stringify(serverCard(server, addresses))),
  ]);
  const catalog = staticDocument(AI_CATALOG, JSON.stringify(aiCatalog(addresses)));
  return [[AI_CATALOG_PATH, catalog], ...cards];
}

/** The documents that crawlers expect of every site. */
function customDocuments(app: GatewayApp, crawled: CrawledPaths, { config, baseUrl }: GatewayOptions): void {
  const routeOptions = { config: { access: PUBLIC }, ...hidden };
  const documents = {
    "/favicon.ico": staticDocument("image/x-icon", iconFile("ico"), ICON_HEADERS),
    "/favicon.svg": staticDocument("image/svg+xml", iconFile("svg"), ICON_HEADERS),
  };
  for (const [path, document] of Object.entries(documents))
    app.get(path, routeOptions, (request, reply) => sendDocument(request, reply, document));
  // All routes are declared by then.
  let robots: StaticDocument | undefined;
  app.get("/robots.txt", routeOptions, (request, reply) => {
    robots ??= staticDocument(PLAIN, robotsText(baseUrl, crawled));
    return sendDocument(request, reply, robots);
  });
  app.get(SECURITY_PATH, routeOptions, (request, reply) => {
    const { securityContact, supportEmail } = config;
    const contact = securityContact ?? (supportEmail === undefined ? undefined : `mailto:${supportEmail}`);
    if (contact === undefined) throw new AppError("not_found");
    return sendDocument(request, reply, staticDocument(PLAIN, securityText(contact, baseUrl)));
  });
}

function iconFile(extension: "ico" | "svg"): Buffer {
  return readFileSync(fileURLToPath(new URL(`../answers/favicon.${extension}`, import.meta.url)));
}

function robotsText(baseUrl: string, crawled: CrawledPaths): string {
  return ["User-agent: *", ...crawled.rules(), "", `Sitemap: ${baseUrl}${SITEMAP_PATH}`, ""].join("\n");
}

/** The security contact (RFC 9116). It expires so that an old copy is not trusted; this one is renewed each day. */
function securityText(contact: string, baseUrl: string): string {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const expires = new Date(today + SECURITY_DAYS * DAY_MS).toISOString();
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}${SECURITY_PATH}`,
    "",
  ].join("\n");
}

/** Which interfaces there are, and where each is described. */
function linksetOf({ baseUrl, generationBaseUrl }: Pick<GatewayOptions, "baseUrl" | "generationBaseUrl">) {
  const described = {
    "service-desc": [{ href: `${baseUrl}/openapi.json`, type: "application/json" }],
    "service-doc": [{ href: `${baseUrl}/docs`, type: "text/html" }],
  };
  const anchors = [
    `${baseUrl}/api/catalog`,
    `${generationBaseUrl}/api/v1/connect/generate`,
    generationBaseUrl + TOOL_SERVERS.generation.path,
    baseUrl + TOOL_SERVERS.catalog.path,
    `${baseUrl}/feeds/acp/products.jsonl`,
    `${baseUrl}/feeds/google.xml`,
    `${baseUrl}/feeds/google.tsv`,
  ];
  return {
    linkset: [
      { anchor: `${baseUrl}${API_CATALOG_PATH}`, item: anchors.map((href) => ({ href })) },
      {
        anchor: anchors[0],
        ...described,
        "service-meta": [{ href: `${baseUrl}/llms.txt`, type: "text/plain" }],
      },
      { anchor: anchors[1], ...described },
      // Tool endpoints describe themselves to clients.
      ...anchors.slice(2, 4).map((anchor) => ({ anchor, "service-doc": described["service-doc"] })),
      ...anchors.slice(4).map((anchor) => ({ anchor, ...described })),
    ],
  };
}

type SitemapRequest = { page: number | undefined; baseUrl: string; pages: readonly string[] };

/** One page of products; without a page all of them, or an index if they are too many for one. Throws not_found past the end. */
async function askSitemap(
  core: CoreClient,
  { page, baseUrl, pages }: SitemapRequest,
  call: ReturnType<typeof callFor>,
): Promise<AnswerContent> {
  const offset = ((page ?? 1) - 1) * SITEMAP_PAGE;
  const { entries, total, revision } = await core.catalog.ListSlugs(
    { offset, limit: SITEMAP_PAGE },
    { ...call, deadlineMs: CATALOG_DEADLINE_MS },
  );
  const pageCount = Math.max(1, Math.ceil(total / SITEMAP_PAGE));
  if (page !== undefined && page > pageCount) throw new AppError("not_found");
  const text =
    page === undefined && pageCount > 1
      ? sitemapIndex(pageCount, baseUrl)
      : sitemap(entries, offset === 0 ? pages : [], baseUrl);
  return {
    body: Buffer.from(text),
    contentType: XML,
    route: SITEMAP_PATH,
    revision,
    // Prices are not in it.
    expiresAtMs: Number.POSITIVE_INFINITY,
  };
}

/** The first page begins with the pages that are not products. */
function sitemap(entries: readonly SlugEntry[], pages: readonly string[], baseUrl: string): string {
  const own = pages.map((path) => `<url><loc>${escape(baseUrl + path)}</loc></url>`);
  const urls = entries.map(({ slug, updated_at }) => {
    const address = escape(`${baseUrl}/products/${encodeURIComponent(slug)}`);
    return `<url><loc>${address}</loc><lastmod>${updated_at}</lastmod></url>`;
  });
  return xml("urlset", [...own, ...urls]);
}

function sitemapIndex(pageCount: number, baseUrl: string): string {
  const address = escape(`${baseUrl}${SITEMAP_PATH}?page=`);
  const pages = Array.from(
    { length: pageCount },
    (_, i) => `<sitemap><loc>${address}${i + 1}</loc></sitemap>`,
  );
  return xml("sitemapindex", pages);
}

function xml(name: string, children: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${SITEMAP_NAMESPACE}">\n${children.join("\n")}\n</${name}>\n`;
}
