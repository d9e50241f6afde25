// The catalog from client to database and back: what is public, and how soon a change shows everywhere.
import { Agent, request } from "node:http";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  catalogChangeSchema,
  catalogDetailSchema,
  type CatalogPageResource,
  catalogPageSchema,
  type CatalogProductResource,
} from "../../proto/resources/product.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { importRows, type Row, row } from "../core/shop/catalog/rows.ts";
import { createContract, type OpenApiDocument } from "../support/contract.ts";
import type { Answer, HttpCalls } from "../support/http-calls.ts";
import { expectPrompt } from "../support/prompt.ts";
import { startRole } from "../support/roles.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const VANISH_MS = 1_000;
/** From the moment core listens again. */
const BACK_MS = 5_000;
const RANDOM_QUERIES = inject("catalogQueries");
const AT_ONCE = 16;
const HIDDEN = ["draft-lamp", "archived-lamp"];

let second: HttpCalls;

const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  second = await service.openEdge({});
  await write([
    row("icon-harbour", {
      name: "Harbour Icons",
      category: "icons",
      tags: ["svg", "line"],
      status: "featured",
      featured_rank: 1,
    }),
    row("icon-café", {
      slug: "icon-cafe",
      name: "Café Icons",
      category: "icons",
      tags: ["svg"],
      pricing_tier: "plus",
      home_order: 1,
    }),
    row("font-slab", { name: "Slab Font", category: "fonts", tags: ["serif"], status: "beta" }),
    ...Array.from({ length: 20 }, (_, i) =>
      row(`kit-${i}`, { name: `Kit ${i}`, category: "kits", tags: ["ui"] }),
    ),
    ...HIDDEN.map((slug) =>
      row(slug, {
        name: "Secret Lamp",
        status: slug.split("-")[0],
        category: "lamps",
        tags: ["glow"],
        pricing_tier: "hush",
      }),
    ),
  ]);
  await waitFor("the products", async () => (await list()).total === PUBLIC_COUNT);
});

const PUBLIC_COUNT = 23;

async function write(rows: readonly Row[]): Promise<void> {
  const { findings } = await importRows(service.core, rows);
  expect(findings).toEqual([]);
}

async function list(query = "", from: HttpCalls = service): Promise<CatalogPageResource> {
  const { status, body } = await from.call<CatalogPageResource>(`/api/catalog${query}`);
  expect(status).toBe(200);
  return body;
}
const slugs = ({ data }: CatalogPageResource) => data.map(({ slug }) => slug);

async function product(slug: string, from: HttpCalls = service): Promise<CatalogProductResource | undefined> {
  const { status, body } = await from.call<{ data: CatalogProductResource }>(`/api/catalog/${slug}`);
  expect([200, 404]).toContain(status);
  return status === 200 ? body.data : undefined;
}

describe("the catalog list and detail", () => {
  test("[CAT-01] match their schemas, with legacy names next to the new ones", async () => {
    const page = await list("?pageSize=5&page=2&facets=category,pricing_tier,tag,status");
    expect(catalogPageSchema.strict().parse(page)).toEqual(page);
    expect(page).toMatchObject({ count: PUBLIC_COUNT, total: PUBLIC_COUNT, total_pages: 5, page: 2 });
    expect(page.catalogProducts).toEqual(page.data);
    expect(page.data).toHaveLength(5);
    expect(page.facets?.category).toEqual([
      { value: "kits", count: 20 },
      { value: "icons", count: 2 },
      { value: "fonts", count: 1 },
    ]);
    const { body } = await service.call("/api/catalog/icon-cafe");
    expect(catalogDetailSchema.strict().parse(body)).toEqual(body);
    expect(body["catalogProduct"]).toEqual(body["data"]);
    expect(body["data"]).toMatchObject({
      price_regular: 49,
      effective_price: 49,
      url: expect.stringMatching(/\/products\/icon-cafe$/),
    });
  });

  test.each([
    ["?search=cafe", ["icon-cafe"]],
    ["?search=harbor", ["icon-harbour"]],
    ["?search=slab%20fo", ["font-slab"]],
    ["?category=icons&sort=alphabetical", ["icon-cafe", "icon-harbour"]],
    ["?tag=svg&tag=line", ["icon-harbour"]],
    ["?tags=svg,line", ["icon-harbour"]],
    ["?pricing_tier=plus", ["icon-cafe"]],
    ["?status=beta,featured&sort=alphabetical", ["icon-harbour", "font-slab"]],
    ["?sort=home", ["icon-cafe"]],
    ["?sort=featured&limit=1", ["icon-harbour"]],
    ["?category=icons&status=coming_soon", []],
    ["?page=999", []],
    ["?page=9007199254740991&pageSize=50", []],
  ] as const)("with %s find %j", async (query, expected) => {
    expect(slugs(await list(query))).toEqual(expected);
  });

  test("[CAT-07] return all six fields for an empty result, and name the parameter that leaves nothing", async () => {
    const page = await list("?category=icons&tag=serif&search=icons");
    expect(page).toEqual({
      data: [],
      catalogProducts: [],
      count: 0,
      total: 0,
      total_pages: 0,
      page: 1,
      hint: expect.any(String),
    });
    expect((await list("?category=no-such")).hint).toContain("category");
    expect((await list("?search=zzzzzz&category=icons")).hint).toContain("search");
    expect((await list("?category=icons")).hint).toBeUndefined();
  });
});

describe("a product that is not public", () => {
  test("[CAT-02] is found by no query", async () => {
    for (const query of [
      "?search=secret",
      "?search=lamp",
      "?category=lamps",
      "?tag=glow",
      "?pricing_tier=hush",
      "?status=draft",
      "?status=archived,draft",
    ]) {
      const page = await list(query);
      expect(page, query).toMatchObject({
        data: [],
        catalogProducts: [],
        total: 0,
        count: 0,
        total_pages: 0,
      });
    }
    const everything = await Promise.all([
      service.call("/api/catalog?pageSize=50&facets=category,pricing_tier,tag,status"),
      service.call("/api/catalog-changes"),
      service.call("/sitemap.xml"),
      service.call("/llms.txt"),
    ]);
    for (const { text } of everything) {
      expect(text.length).toBeGreaterThan(100);
      expect(text).not.toMatch(/lamp|glow|hush|secret/i);
    }
    expect(everything[2]?.text).toContain("/products/icon-harbour<");
  });

  test("[CAT-02] gets the same bytes as an unknown one", async () => {
    const plain = ({ status, headers, text }: Answer<unknown>) => ({
      status,
      text: text.replace(headers.get("x-request-id") ?? "", ""),
      headers: Object.fromEntries([...headers].filter(([name]) => !["date", "x-request-id"].includes(name))),
    });
    const unknown = plain(await service.call("/api/catalog/no-such-thing"));
    expect(unknown.status).toBe(404);
    for (const slug of HIDDEN) {
      expect(plain(await service.call(`/api/catalog/${slug}`))).toEqual(unknown);
      expect(plain(await service.call(`/covers/${slug}.svg`))).toEqual(unknown);
    }
    expect((await service.call("/covers/icon-harbour.svg")).status).toBe(200);
  });

  test("is answered from memory like an unknown one, so that timing does not reveal it", async () => {
    const { db } = service.app.mongo;
    const ns = `${db.databaseName}.products`;
    const looks = () => db.collection("system.profile").countDocuments({ ns });
    await db.command({ profile: 2 });
    try {
      for (let round = 0; round < 20; round++)
        for (const slug of [...HIDDEN, "no-such-thing", "icon-cafe"])
          await service.call(`/api/catalog/${slug}?x=${round}`);
      expect(await looks()).toBe(0);
      await db.collection("products").findOne({ slug: "draft-lamp" });
      expect(await looks()).toBe(1);
    } finally {
      await db.command({ profile: 0 });
    }
  });

  test("changes no ETag and no version when it is written", async () => {
    const look = async () => {
      const [page, feed] = [await service.call("/api/catalog"), await service.call("/api/catalog-changes")];
      return { etag: page.headers.get("etag"), feed: feed.text, version: versionOf(feed.text) };
    };
    const before = await look();
    await write([row("draft-lamp", { name: "Another Secret", status: "draft", price_regular_cents: 1 })]);
    await write([row("draft-new", { name: "New Secret", status: "draft" })]);
    expect(await look()).toEqual(before);
    // When a later public write shows, these have been processed too.
    await write([row("kit-0", { name: "Kit zero", category: "kits", tags: ["ui"] })]);
    await waitFor("the public write", async () => (await product("kit-0"))?.name === "Kit zero");
    const after = await look();
    expect(after.version).toBe(before.version + 1);
    expect(after.etag).not.toBe(before.etag);
    expect(after.feed).not.toContain("Secret");
  });
});

function versionOf(feed: string): number {
  const last = catalogChangeSchema.parse(JSON.parse(feed.trimEnd().split("\n").at(-1) ?? ""));
  expect(last.op).toBe("checkpoint");
  return last.version;
}

describe("a change of a product", () => {
  test("[CAT-12] from public to draft disappears from every gateway within a second, and old ETags do not match", async () => {
    const faces = [service, second];
    const took: number[] = [];
    for (let round = 0; round < 5; round++) {
      const slug = `flicker-${round}`;
      await write([row(slug, { tags: ["flicker"] })]);
      const places = [
        `/api/catalog/${slug}`,
        "/api/catalog?tag=flicker",
        "/sitemap.xml",
        `/covers/${slug}.svg`,
      ];
      const shows = async (face: HttpCalls) => {
        const answers = await Promise.all(places.map((place) => face.call(place)));
        return answers.map(
          ({ text }) =>
            text.includes(`"slug":"${slug}"`) ||
            text.includes(`/${slug}<`) ||
            text.includes(`Product ${slug}<`),
        );
      };
      await waitFor("the product at both", async () =>
        (await Promise.all(faces.map(shows))).flat().every(Boolean),
      );
      const tags = await Promise.all(
        faces.map(async (face) => (await face.call(`/api/catalog/${slug}`)).headers.get("etag") ?? ""),
      );
      await service.core.catalogAdmin.SetProductStatus({ slug, status: "draft" });
      const sinceMs = performance.now();
      await waitFor(
        "no trace of it",
        async () => !(await Promise.all(faces.map(shows))).flat().some(Boolean),
      );
      const tookMs = performance.now() - sinceMs;
      expectPrompt(tookMs, VANISH_MS);
      took.push(Math.round(tookMs));
      for (const [i, face] of faces.entries()) {
        const again = await face.call(`/api/catalog/${slug}`, {
          headers: { "if-none-match": tags[i] ?? "" },
        });
        expect(again.status).toBe(404);
      }
      await write([row(slug, { status: "archived" })]);
    }
    console.log(`from public to draft at two gateways: ${took.join(", ")} ms`);
    const lines = (await service.call("/api/catalog-changes")).text;
    expect(lines).not.toContain("flicker");
  });

  test("[CAT-15] is in the feed, and a copy that follows it equals the catalog", async () => {
    const copy = new Map<string, unknown>();
    let since = 0;
    const follow = async () => {
      const { text, status } = await second.call(`/api/catalog-changes?since=${since}`);
      expect(status).toBe(200);
      const changes = text
        .trimEnd()
        .split("\n")
        .map((line) => catalogChangeSchema.parse(JSON.parse(line)));
      for (const change of changes) {
        if (change.op === "upsert") copy.set(change.product.id, change.product);
        if (change.op === "remove") copy.delete(change.id);
        if (change.op === "checkpoint") since = change.version;
      }
      expect(changes.at(-1)?.op).toBe("checkpoint");
      return changes;
    };
    const same = async () => {
      const { data } = await list("?pageSize=50", second);
      expect(copy).toEqual(new Map(data.map((item) => [item.id, item])));
    };
    await follow();
    await same();
    await write([row("fed", { name: "Fed" }), row("kit-1", { name: "Kit one" })]);
    await waitFor("the upserts", async () => (await follow()).length > 1);
    await same();
    await service.core.catalogAdmin.SetProductStatus({ slug: "fed", status: "draft" });
    const removed = await waitFor("the removal", async () =>
      (await follow()).find(({ op }) => op === "remove"),
    );
    expect(removed).toMatchObject({ slug: "fed" });
    await same();
    const refused = await service.call("/api/catalog-changes?since=999999");
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("begin again at 0"),
    });
  });
});

test("[CAT-04] in price applies exactly at the start and end of a sale, with cached pages too", async () => {
  const starts = Date.now() + 1_500;
  const ends = starts + 4_000;
  const sale = {
    price_cents: 2950,
    starts_at: new Date(starts).toISOString(),
    ends_at: new Date(ends).toISOString(),
  };
  await write([row("on-sale", { tags: ["sale"], sale })]);
  await waitFor("the product", () => product("on-sale"));
  // Core uses the database's time, and the gateway core's: on a busy machine each knows it to within a second.
  const knownToMs = 1_000;
  const seen: [atMs: number, price: number | null | undefined][] = [];
  while (Date.now() < ends + knownToMs + 200) {
    // The response was made between these two times.
    const before = Date.now();
    const price = (await list("?tag=sale")).data[0]?.effective_price;
    const after = Date.now();
    if (after < starts - knownToMs || before >= ends + knownToMs) expect(price).toBe(49);
    if (before >= starts + knownToMs && after < ends - knownToMs) expect(price).toBe(29.5);
    seen.push([before, price]);
  }
  expect(new Set(seen.map(([, price]) => price))).toEqual(new Set([49, 29.5]));
});

describe("the catalog without core", () => {
  const UNAVAILABLE = { status: 500, body: { code: "catalog_unavailable" } };

  test("[CAT-13] is catalog_unavailable within a few seconds, and correct once core is back", async () => {
    const port = String(await freePort());
    const core = await startRole(service, "core", { ATELIER_GRPC_PORT: port });
    const face = await service.openEdge({ ATELIER_CORE_ADDRESS: `127.0.0.1:${port}` });
    const paths = [
      "/api/catalog",
      "/api/catalog/icon-cafe",
      "/api/catalog?search=other",
      "/sitemap.xml",
      "/api/catalog-changes",
    ];
    await waitFor("the catalog", async () => (await face.call("/api/catalog")).status === 200, 20_000);

    const answers = async () => {
      const startMs = performance.now();
      const all = await Promise.all(paths.map((path) => face.call(path)));
      return { all, tookMs: performance.now() - startMs };
    };
    await answers();
    for (const [stop, restart] of [
      [() => core.signal("SIGSTOP"), () => core.signal("SIGCONT")],
      [() => core.signal("SIGKILL"), () => startRole(service, "core", { ATELIER_GRPC_PORT: port })],
    ] as const) {
      await stop();
      // Cached pages may be sent for one more second.
      await waitFor("the first refusal", async () => (await face.call("/api/catalog")).status === 500);
      const { all, tookMs } = await answers();
      expectPrompt(tookMs, 4_500);
      for (const answer of all) expect(answer).toMatchObject(UNAVAILABLE);

      // Written while this gateway has no connection to core.
      const name = `Café ${tookMs}`;
      await write([
        row("icon-cafe", { name, category: "icons", tags: ["svg"], pricing_tier: "plus", home_order: 1 }),
      ]);
      await restart();
      const restartedMs = performance.now();
      const back = await waitFor(
        "the catalog again",
        async () => {
          const found = await product("icon-cafe", face).catch(() => undefined);
          return found;
        },
        20_000,
      );
      expectPrompt(performance.now() - restartedMs, BACK_MS);
      expect(back.name).toBe(name);
      for (const { status } of (await answers()).all) expect(status).toBe(200);
    }
  });
});

test(`${RANDOM_QUERIES} random queries cause no 5xx`, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const { port } = new URL(service.url);
  const ask = (path: string) =>
    new Promise<{ status: number; contentType: string | undefined; text: string }>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, agent, path, timeout: 50_000 }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers["content-type"],
            text,
          }),
        );
      });
      sent.on("error", reject);
      sent.on("timeout", () => sent.destroy(new Error("no answer")));
      sent.end();
    });

  const contract = createContract((await service.call<OpenApiDocument>("/openapi.json")).body);
  const counts = { ok: 0, refused: 0 };
  service.errors.length = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyQuery, { minLength: 100, maxLength: 100 }), async (queries) => {
      await Promise.all(
        queries.map(async (query) => {
          // While other processes slow core down, it reports that its view may be behind.
          const { status, contentType, text } = await waitFor("a core that is not held up", async () => {
            const answer = await ask(`/api/catalog${query}`);
            return !answer.text.includes('"catalog_unavailable"') && answer;
          });
          expect(contract.check("GET", "/api/catalog", { status, contentType, text })).toBe(true);
          const body = JSON.parse(text) as Record<string, unknown>;
          if (status === 200) {
            counts.ok++;
            expect(Object.keys(body)).toEqual(
              expect.arrayContaining(["data", "catalogProducts", "count", "total", "total_pages", "page"]),
            );
          } else {
            counts.refused++;
            expect({ query, status, code: body["code"] }).toEqual({
              query,
              status: 400,
              code: "invalid_request",
            });
          }
        }),
      );
    }),
    { numRuns: RANDOM_QUERIES / 100, seed: 4, endOnFailure: true },
  );
  agent.destroy();
  expect(service.errors).toEqual([]);
  console.log(`${RANDOM_QUERIES} queries: ${counts.ok} pages, ${counts.refused} refusals`);
  expect(Math.min(counts.ok, counts.refused)).toBeGreaterThan(RANDOM_QUERIES / 10);
});

const junk = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e9",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "__proto__",
    "%",
    "%00",
    "\u0000",
    "9".repeat(60),
    "a".repeat(300),
    "é",
    "🎨",
    "'; --",
    '{"$gt":""}',
    "../..",
    ",,,",
  ),
);
const encoded = junk.map((text) => encodeURIComponent(text.toWellFormed()));
const NAMES = [
  "search",
  "category",
  "subcategory",
  "pricing_tier",
  "tag",
  "tags",
  "status",
  "sort",
  "page",
  "pageSize",
  "limit",
  "facets",
  "unknown",
  "__proto__",
  "tag[]",
];
const good = fc.constantFrom(
  "search=icons",
  "search=ki",
  "category=icons",
  "tag=svg",
  "tag=svg,line",
  "tags=ui",
  "status=beta",
  "status=draft",
  "sort=newest",
  "sort=home",
  "page=2",
  "page=900000",
  "pageSize=50",
  "limit=1",
  "facets=tag,status",
);
const bad = fc.tuple(fc.constantFrom(...NAMES), encoded).map(([name, value]) => `${name}=${value}`);
const mess = fc.constantFrom("%", "&&", "=", "search", "page=1&page=2", "%ff=%ff", "a%", "?", "+", ";");
const anyQuery = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: good }, { weight: 3, arbitrary: bad }, { weight: 1, arbitrary: mess }),
    { maxLength: 5 },
  )
  .map((parts) => (parts.length > 0 ? `?${parts.join("&")}` : ""));
