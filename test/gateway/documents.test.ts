// Documents for people and programs: the reference, the API catalog, the text for models and the site map.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import { sharedByTests } from "../support/shared.ts";
import { type FakeCatalog, fakeCatalog, untilCached } from "./fake-catalog.ts";
import { sendRaw } from "./send-raw.ts";
import { type Gateway, serveGateway } from "./serve-gateway.ts";

const BASE = "https://generate.example.com";

let catalog: FakeCatalog;
const gateway = sharedByTests(() =>
  serveGateway({}, (fake) => {
    catalog = fakeCatalog(fake);
  }),
);

const get: Gateway["get"] = (...how) => gateway.get(...how);

test("static documents are cached and confirmed by their ETag", async () => {
  const cards = ["/.well-known/ai-catalog.json", "/api/mcp/server-card"];
  for (const path of ["/docs", "/openapi.json", "/llms.txt", "/.well-known/api-catalog", ...cards]) {
    const { status, headers } = await get(path);
    expect(status, path).toBe(200);
    expect(headers["cache-control"]).toBe("public, max-age=300");
    expect((await get(path, { "if-none-match": headers.etag ?? "" })).status).toBe(304);
    const head = await get(path, {}, "HEAD");
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
  }
});

test.each(["/openapi.json", "/docs", "/llms.txt"])(
  "[DOC-40] %s is compressed on request, with an ETag for each coding",
  async (path) => {
    const plain = await get(path);
    const tags = new Set([plain.headers.etag]);
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const sent = await get(path, { "accept-encoding": encoding });
      const vary = path === "/docs" ? "accept-encoding, cookie" : "accept-encoding";
      expect(sent.headers).toMatchObject({ "content-encoding": encoding, vary });
      expect(sent.body.length).toBeLessThan(plain.body.length / 2);
      expect(decode(sent.body).equals(plain.body)).toBe(true);
      const { etag = "" } = sent.headers;
      tags.add(etag);
      const again = await get(path, { "accept-encoding": encoding, "if-none-match": etag });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    }
    expect(tags.size).toBe(3);
  },
);

test("[DOC-41] /robots.txt allows the catalog and excludes account pages", async () => {
  const { status, headers, body } = await get("/robots.txt");
  expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  // The whole list, so that a new or changed route without a rule for crawlers is noticed.
  expect(body.toString().split("\n")).toEqual([
    "User-agent: *",
    "Allow: /api/catalog",
    "Allow: /api/mcp/server-card",
    "Allow: /api/member/mcp/server-card",
    "Allow: /api/outputs/verify",
    "Allow: /api/plans",
    "Disallow: /account",
    "Disallow: /api",
    "Disallow: /checkout",
    "Disallow: /credits",
    "Disallow: /email",
    "Disallow: /generate",
    "Disallow: /jobs",
    "Disallow: /library",
    "Disallow: /payments",
    "Disallow: /sign-in",
    "Disallow: /support",
    "Disallow: /v1",
    "Disallow: /workflows",
    "",
    `Sitemap: ${BASE}/sitemap.xml`,
    "",
  ]);
});

test("[DOC-41] the site's icon is at /favicon.ico and /favicon.svg", async () => {
  const icon = await get("/favicon.ico");
  expect([icon.status, icon.headers["content-type"]]).toEqual([200, "image/x-icon"]);
  // One complete picture of 32 x 32.
  expect([...icon.body.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  expect(icon.body.readUInt32LE(14) + icon.body.readUInt32LE(18)).toBe(icon.body.length);
  const colours = new Set(Array.from({ length: 32 * 32 }, (_, i) => icon.body.readUInt32LE(62 + i * 4)));
  expect(colours).toContain(0xffa83f1b);
  expect(colours).toContain(0xffffffff);
  expect(colours).toContain(icon.body.readUInt32LE(62));
  const svg = await get("/favicon.svg");
  expect([svg.status, svg.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
});

test("[DOC-42] /.well-known/security.txt names the contact and expires within a year (RFC 9116)", async () => {
  expect((await get("/.well-known/security.txt")).status).toBe(404);
  const contact = "mailto:security@example.com";
  for (const env of [
    { ATELIER_SECURITY_CONTACT: contact },
    { ATELIER_SUPPORT_EMAIL: "security@example.com" },
  ]) {
    const other = await serveGateway(env);
    const { status, headers, body } = await sendRaw(other.url, "/.well-known/security.txt");
    await other.close();
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = new Map(
      body
        .toString()
        .trimEnd()
        .split("\n")
        .map((line) => line.split(": ") as [string, string]),
    );
    expect(fields.get("Contact")).toBe(contact);
    expect(fields.get("Canonical")).toMatch(/^https:.*\/\.well-known\/security\.txt$/);
    const days = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(100);
    expect(days).toBeLessThan(365);
  }
});

test("/.well-known/api-catalog lists every interface with its description (RFC 9727)", async () => {
  const { headers, body } = await get("/.well-known/api-catalog");
  expect(headers["content-type"]).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(headers["link"]).toBe(`<${BASE}/.well-known/api-catalog>; rel="api-catalog"`);
  const { linkset } = JSON.parse(body.toString()) as { linkset: Record<string, unknown>[] };
  expect(linkset).toContainEqual({
    anchor: `${BASE}/.well-known/api-catalog`,
    item: [
      { href: `${BASE}/api/catalog` },
      { href: `${BASE}/api/v1/connect/generate` },
      { href: `${BASE}/api/mcp` },
      { href: `${BASE}/mcp` },
      { href: `${BASE}/feeds/acp/products.jsonl` },
      { href: `${BASE}/feeds/google.xml` },
      { href: `${BASE}/feeds/google.tsv` },
    ],
  });
  expect(linkset).toContainEqual(
    expect.objectContaining({
      anchor: `${BASE}/api/catalog`,
      "service-desc": [{ href: `${BASE}/openapi.json`, type: "application/json" }],
      "service-doc": [{ href: `${BASE}/docs`, type: "text/html" }],
    }),
  );
});

test("/llms.txt begins with a name and a summary, and links only existing URLs", async () => {
  const { headers, body } = await get("/llms.txt");
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  const text = body.toString();
  expect(text).toMatch(/^# Atelier\n\n> /);
  gateway.fail("catalog.ListProducts", () => new AppError("catalog_unavailable"));
  const addresses = [...text.matchAll(/https:\/\/generate\.example\.com(\/[^\s),]*)/g)].map(
    ([, path = ""]) => path,
  );
  expect(addresses).toEqual(expect.arrayContaining(["/docs/quickstart", "/docs/webhooks", "/docs/mcp"]));
  const known = [
    "/mcp",
    "/api/mcp",
    "/api/member/mcp",
    "/api/catalog/{slug}",
    "/api/catalog-changes",
    "/feeds/google.xml",
    "/feeds/google.tsv",
    "/feeds/acp/products.jsonl",
    "/api/jobs/{id}",
  ];
  for (const path of addresses.filter((address) => !known.includes(address)))
    expect((await get(path)).status, path).not.toBe(404);
});

describe("/sitemap.xml", () => {
  const slugs = (offset: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      slug: `product-${offset + i}`,
      updated_at: "2026-01-31T09:30:00.000Z",
    }));

  function answer(total: number, revision = "e.1"): void {
    gateway.answer("catalog.ListSlugs", ({ offset, limit }) => ({
      revision,
      total,
      entries: slugs(Number(offset), Math.max(0, Math.min(Number(limit), total - Number(offset)))),
    }));
  }

  test("lists every public product, compressed, with an ETag, and from the cache the second time", async () => {
    answer(40);
    const { status, headers, body } = await get("/sitemap.xml");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
    const text = body.toString();
    expect(text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www.sitemaps.org/,
    );
    expect(text.match(/<loc>[^<]*\/products\/[^<]+<\/loc>/g)).toHaveLength(40);
    const pages = [...text.matchAll(/<url><loc>([^<]*)<\/loc><\/url>/g)].map(([, loc = ""]) => loc);
    expect(pages.toSorted()).toEqual(
      ["", "about", "connect", "docs", "help", "models", "pricing", "products"].map(
        (path) => `${BASE}/${path}`,
      ),
    );
    expect(text).toContain(
      `<url><loc>${BASE}/products/product-39</loc><lastmod>2026-01-31T09:30:00.000Z</lastmod></url>`,
    );
    expect((await get("/sitemap.xml", { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe(
      "gzip",
    );
    expect((await get("/sitemap.xml", { "if-none-match": headers.etag ?? "" })).status).toBe(304);
    await untilCached(catalog, () => get("/sitemap.xml"));
  });

  test("is an index of pages when there are many products", async () => {
    catalog.tell({ revision: "e.2" });
    answer(20_001, "e.2");
    await expect.poll(async () => (await get("/sitemap.xml")).body.toString()).toContain("<sitemapindex");
    const text = (await get("/sitemap.xml")).body.toString();
    const pages = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = ""]) => loc);
    expect(pages).toEqual([1, 2, 3].map((page) => `${BASE}/sitemap.xml?page=${page}`));
    const counts: number[] = [];
    for (const page of pages)
      counts.push(
        (await get(page.replace(BASE, ""))).body.toString().match(/\/products\/product-/g)?.length ?? 0,
      );
    expect(counts).toEqual([10_000, 10_000, 1]);
    const past = await get("/sitemap.xml?page=4");
    expect(past.status).toBe(404);
    expect(JSON.parse(past.body.toString())).toMatchObject({ code: "not_found" });
    expect((await get("/sitemap.xml?page=0")).status).toBe(400);
  });

  test("is catalog_unavailable while core is away", async () => {
    gateway.fail("catalog.ListSlugs", () => new AppError("service_unavailable"));
    const answered = await get("/sitemap.xml?page=7");
    expect(answered.status).toBe(500);
    expect(JSON.parse(answered.body.toString())).toMatchObject({ code: "catalog_unavailable" });
  });
});

describe("/api/catalog-changes", () => {
  const LINES = ['{"version":2,"op":"remove","id":"a","slug":"b"}', '{"version":3,"op":"checkpoint"}'];

  test("streams core's lines unchanged", async () => {
    gateway.answer("catalog.ListChanges", async function* () {
      for (const [i, line] of LINES.entries()) yield { version: i + 2, line: Buffer.from(line) };
    });
    catalog.forget();
    const { status, headers, body } = await get("/api/catalog-changes?since=1&x=1");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/x-ndjson",
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
    });
    expect(body.toString()).toBe(LINES.map((line) => `${line}\n`).join(""));
    expect(catalog.asked()[0]?.request).toEqual({ since: 1 });
    await get("/api/catalog-changes");
    expect(catalog.asked()[1]?.request).toEqual({ since: 0 });
    await get("/api/catalog-changes?since=3&epoch=5f0c2a91");
    expect(catalog.asked()[2]?.request).toEqual({ since: 3, epoch: "5f0c2a91" });
    const plain = await get("/api/catalog-changes", { accept: "text/plain" });
    expect(plain.headers["content-type"]).toBe("text/plain");
    const head = await get("/api/catalog-changes", {}, "HEAD");
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  test.each(["-1", "1.5", "x", "", "9".repeat(30), "1&since=2"])(
    "refuses since=%s by name",
    async (since) => {
      const answered = await get(`/api/catalog-changes?since=${since}`);
      expect(answered.status).toBe(400);
      expect(JSON.parse(answered.body.toString())).toMatchObject({
        code: "invalid_request",
        issues: [{ path: "since" }],
      });
    },
  );

  test("returns the next step when core does not know the version", async () => {
    const message = "is newer than the catalog; begin again at 0";
    // oxlint-disable-next-line require-yield
    gateway.answer("catalog.ListChanges", async function* () {
      throw new AppError("invalid_request", {
        message: `since ${message}.`,
        issues: [{ path: "since", message }],
      });
    });
    const answered = await get("/api/catalog-changes?since=999");
    expect(answered.status).toBe(400);
    expect(JSON.parse(answered.body.toString())).toMatchObject({ message: `since ${message}.` });
  });

  test("ends without a checkpoint when core is lost midway, and is refused when core is away at the start", async () => {
    gateway.answer("catalog.ListChanges", async function* () {
      yield { version: 2, line: Buffer.from(LINES[0] ?? "") };
      await Promise.resolve();
      throw new AppError("service_unavailable");
    });
    await expect(get("/api/catalog-changes")).rejects.toThrow(/aborted|reset|hang up/);
    // oxlint-disable-next-line require-yield
    gateway.answer("catalog.ListChanges", async function* () {
      throw new AppError("service_unavailable");
    });
    const refused = await get("/api/catalog-changes");
    expect(refused.status).toBe(500);
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: "catalog_unavailable" });
  });

  test("stops core's stream when the client disconnects", async () => {
    const stopped = Promise.withResolvers<boolean>();
    gateway.answer("catalog.ListChanges", async function* (_request, { signal }) {
      signal?.addEventListener("abort", () => stopped.resolve(true));
      for (let i = 0; !signal?.aborted; i++) {
        yield { version: i, line: Buffer.alloc(10_000, "x") };
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const leave = new AbortController();
    const response = await fetch(`${gateway.url}/api/catalog-changes`, { signal: leave.signal });
    expect(response.status).toBe(200);
    leave.abort();
    expect(await stopped.promise).toBe(true);
  });
});

test("[DOC-43] the AI catalog links a server card of each tool endpoint, as in the drafts", async () => {
  const { headers, body } = await get("/.well-known/ai-catalog.json", { origin: "https://host.example" });
  expect(headers["content-type"]).toBe("application/ai-catalog+json");
  expect(headers["access-control-allow-origin"]).toBe("*");
  const { specVersion, entries } = JSON.parse(body.toString()) as {
    specVersion: string;
    entries: { identifier: string; type: string; url: string }[];
  };
  expect(specVersion).toBe("1.0");
  expect(entries.map(({ identifier }) => identifier)).toEqual(
    ["catalog", "generation", "member"].map((name) => `urn:air:generate.example.com:mcp:atelier-${name}`),
  );
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, "../mcp/registry/server-card.v1.json"), "utf8"),
  ) as object;
  const fits = new Ajv2020({ strict: false, formats: { uri: (text: string) => URL.canParse(text) } }).compile(
    {
      ...schema,
      $ref: "#/$defs/ServerCard",
    },
  );
  for (const { type, url } of entries) {
    const reply = await get(new URL(url).pathname, { accept: type });
    expect(reply.headers["content-type"]).toBe("application/mcp-server-card+json");
    const card: unknown = JSON.parse(reply.body.toString());
    expect(fits(card), JSON.stringify(fits.errors)).toBe(true);
    const [endpoint, keyed] = [url.replace(/\/server-card$/, ""), !url.endsWith(".com/mcp/server-card")];
    expect(card).toMatchObject({
      name: expect.stringMatching(/^com\.example\.generate\/atelier-\w+$/),
      remotes: [{ url: endpoint, ...(keyed && { headers: [{ isRequired: true, isSecret: true }] }) }],
    });
  }
});
