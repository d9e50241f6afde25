// The catalog over HTTP, with a core that the test controls.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { encode } from "../../gateway/http/encoding.ts";
import { AppError } from "../../proto/codes.ts";
import type { CatalogState } from "../../proto/types/atelier/v1/CatalogState.ts";
import type { ListProductsReply } from "../../proto/types/atelier/v1/ListProductsReply.ts";
import { type FakeCatalog, fakeCatalog, untilCached } from "./fake-catalog.ts";
import type { RawAnswer } from "./send-raw.ts";
import { type Gateway, serveGateway } from "./serve-gateway.ts";

const PRODUCTS = Array.from({ length: 12 }, (_, i) => ({
  slug: `product-${i}`,
  name: `Product ${i}`,
  tags: ["svg"],
}));
const BODY = JSON.stringify({
  data: PRODUCTS,
  catalogProducts: PRODUCTS,
  count: 30,
  total: 30,
  total_pages: 3,
  page: 1,
});

let gateway: Gateway;
let catalog: FakeCatalog;

function page(over: Partial<ListProductsReply> = {}): ListProductsReply {
  return {
    body: Buffer.from(BODY),
    revision: "e.1",
    version: 1,
    total: 30,
    total_pages: 3,
    expires_at: "",
    products: [],
    ...over,
  };
}

async function serve(env: Record<string, string> = {}, state: Partial<CatalogState> = {}): Promise<void> {
  gateway = await serveGateway(env, (fake) => {
    catalog = fakeCatalog(fake);
    catalog.tell(state);
  });
  gateway.answer("catalog.ListProducts", () => page());
  gateway.answer("catalog.GetProduct", ({ slug }) => {
    if (slug !== "harbour-icons") throw new AppError("product_not_found");
    return {
      body: Buffer.from('{"data":{},"catalogProduct":{}}'),
      revision: "e.1",
      version: 1,
      expires_at: "",
      product: null,
    };
  });
}

/** A gateway for each test, with an empty cache. */
function serveEach(env: Record<string, string> = {}): void {
  beforeEach(() => serve(env));
  afterEach(() => gateway.close());
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };
const get: Gateway["get"] = (...how) => gateway.get(...how);
const json = ({ body }: RawAnswer) => JSON.parse(body.toString()) as Record<string, unknown>;

const DEFAULTS = {
  search: "",
  category: "",
  subcategory: "",
  pricing_tier: "",
  tags: [],
  statuses: [],
  sort: "featured",
  page: 1,
  page_size: 12,
  facets: [],
};

describe("a catalog query", () => {
  // A core that may be behind is called each time.
  beforeAll(() => serve({}, { fresh: false }));
  beforeEach(() => catalog.forget());
  afterAll(() => gateway.close());

  test.each([
    ["", {}],
    ["?", {}],
    ["?unknown=1&__proto__=x&constructor=y&page", undefined],
    ["?unknown=1&__proto__=x&toString=y", {}],
    ["?search=line%20%20icons+", { search: "line icons" }],
    ["?search=Caf%C3%A9", { search: "café" }],
    ["?search=", {}],
    [
      "?category=icons&subcategory=line-icons&pricing_tier=standard",
      { category: "icons", subcategory: "line-icons", pricing_tier: "standard" },
    ],
    ["?price_min=9.99&price_max=50", { price_min_cents: 999, price_max_cents: 5_000 }],
    ["?price_min=&price_max=0", { price_max_cents: 0 }],
    ["?tag=svg&tag=dashboard", { tags: ["dashboard", "svg"] }],
    ["?tag=svg,dashboard,,svg", { tags: ["dashboard", "svg"] }],
    ["?tag[]=svg&tag%5B%5D=dark", { tags: ["dark", "svg"] }],
    ["?tag[]=svg&tag=dark&tags=light", { tags: ["dark", "svg"] }],
    ["?tag=svg&tag=dark,light", { tags: ["dark", "light", "svg"] }],
    ["?tags=svg,dashboard", { tags: ["dashboard", "svg"] }],
    ["?tags=light&tag=svg", { tags: ["svg"] }],
    ["?tags=light&tag=", {}],
    ["?tag=svg&tags=a&tags=b", { tags: ["svg"] }],
    ["?status=beta,published", { statuses: ["published", "beta"] }],
    ["?status=published,featured,coming_soon,beta", {}],
    ["?status=draft", { statuses: ["draft"] }],
    ["?status=archived", { statuses: ["draft"] }],
    ["?status=archived,beta", { statuses: ["beta"] }],
    ["?sort=home", { sort: "home" }],
    ["?page=2&pageSize=50", { page: 2, page_size: 50 }],
    ["?page=9007199254740991", { page: Number.MAX_SAFE_INTEGER }],
    ["?limit=7", { page_size: 7 }],
    ["?pageSize=9&limit=7", { page_size: 9 }],
    ["?pageSize=9&limit=999", { page_size: 9 }],
    ["?facets=status,category,status", { facets: ["category", "status"] }],
  ] as [string, Record<string, unknown> | undefined][])("[CAT-05] accepts %s", async (query, expected) => {
    const answer = await get(`/api/catalog${query}`);
    expect(answer.status).toBe(expected ? 200 : 400);
    if (expected) expect(catalog.asked()[0]?.request).toEqual({ ...DEFAULTS, ...expected });
    if (expected) expect(answer.body.toString()).toBe(BODY);
  });

  test.each([
    ["search", "a".repeat(201)],
    ["search", ["a", "b"]],
    ["category", ["a", "b"]],
    ["subcategory", ["a", "b"]],
    ["pricing_tier", ["a", "b"]],
    ...["-1", "1.999", "x", "1e3", "1000001", ["1", "2"]].flatMap((value): [string, string | string[]][] => [
      ["price_min", value],
      ["price_max", value],
    ]),
    ["tag", Array.from({ length: 51 }, (_, i) => `t${i}`).join(",")],
    ["tags", Array.from({ length: 51 }, (_, i) => `t${i}`).join(",")],
    ["tags", ["a", "b"]],
    ["status", "publshed"],
    ["status", "published,live"],
    ["status", "PUBLISHED"],
    ["status", ["beta", "beta"]],
    ["sort", "price"],
    ["sort", ""],
    ["sort", "Featured"],
    ["sort", ["home", "home"]],
    ["sort", "constructor"],
    ...["0", "-1", "1.5", "", "x", "1e3", "0x10", "NaN", " 1", "9007199254740992", "9".repeat(400)].map(
      (value) => ["page", value],
    ),
    ["page", ["1", "2"]],
    ...["0", "51", "-1", "1.5", "", "x", "1e1", "9".repeat(400)].flatMap((value) => [
      ["pageSize", value],
      ["limit", value],
    ]),
    ["facets", "price"],
    ["facets", "category,x"],
    ["facets", ["tag", "tag"]],
  ] as [string, string | string[]][])(
    "[CAT-06] a catalog query with an invalid %s (%s) is refused by that name",
    async (name, values) => {
      const search = new URLSearchParams([values].flat().map((value): [string, string] => [name, value]));
      const answer = await get(`/api/catalog?x=1&${search.toString()}`);
      expect(answer.status).toBe(400);
      const body = json(answer);
      expect(body).toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining(name),
        issues: [{ path: name, message: expect.any(String) }],
      });
      expect(body).not.toHaveProperty("ok");
      expect(catalog.asked()).toEqual([]);
    },
  );

  test("a catalog query whose price_max is below its price_min is refused", async () => {
    const body = json(await get("/api/catalog?price_min=50&price_max=10"));
    expect(body["message"]).toBe("price_max must be at least price_min, 50.");
  });

  test("a catalog query with a misspelt sort lists the six values", async () => {
    const body = json(await get("/api/catalog?sort=newst"));
    expect(body["message"]).toBe(
      "sort must be one of featured, newest, alphabetical, popular, rating, home.",
    );
  });

  test("[CAT-06] a catalog query with several invalid values names each", async () => {
    const body = json(await get("/api/catalog?sort=x&page=0&pageSize=51"));
    expect(body["issues"]).toHaveLength(3);
  });
});

describe("a catalog response", () => {
  serveEach();

  test("is core's own bytes, with all cache headers", async () => {
    const { status, headers, body } = await get("/api/catalog?page=1");
    expect(status).toBe(200);
    expect(body.toString()).toBe(BODY);
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-length": String(BODY.length),
      "cache-control": "public, max-age=30, stale-while-revalidate=300",
      vary: "accept-encoding",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(headers).not.toHaveProperty("content-encoding");
    for (const name of ["etag", "link", "retry-after", "ratelimit"])
      expect(headers["access-control-expose-headers"]).toContain(name);
  });

  test.each([
    ["br", "br"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["zstd;q=0.5, br", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0.5, gzip;q=0.9", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["*", "zstd"],
    ["*;q=0.1, identity", undefined],
    ["deflate", undefined],
    ["identity", undefined],
    ["", undefined],
    ["x-gzip", "gzip"],
    ["br;q=nonsense, gzip", "gzip"],
  ] as const)("to Accept-Encoding %s is in %s", async (accepted, encoding) => {
    for (let i = 0; i < 2; i++) {
      const { headers, body } = await get("/api/catalog", { "accept-encoding": accepted });
      expect(headers["content-encoding"]).toBe(encoding);
      expect(headers["content-length"]).toBe(String(body.length));
      const plain = encoding ? DECODERS[encoding](body) : body;
      expect(plain.toString()).toBe(BODY);
      if (encoding) expect(body.length).toBeLessThan(BODY.length / 2);
    }
  });

  test.each(["br", "gzip", "zstd"] as const)(
    "compressed with %s keeps no memory but its bytes",
    async (encoding) => {
      const encoded = await encode(Buffer.from(BODY), encoding);
      expect(encoded?.buffer.byteLength).toBe(encoded?.length);
      expect(encoded && DECODERS[encoding](encoded).toString()).toBe(BODY);
    },
  );

  test("a catalog response that is small is not compressed", async () => {
    const { headers } = await get("/api/catalog/harbour-icons", { "accept-encoding": "br" });
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers["vary"]).toBe("accept-encoding");
  });

  test("[CAT-09] has one ETag for each query and coding, for any spelling of the query", async () => {
    const etag = async (path: string, encoding = "identity") =>
      (await get(path, { "accept-encoding": encoding })).headers.etag;
    const first = await etag("/api/catalog");
    for (const same of [
      "?page=1",
      "?limit=12",
      "?sort=featured&x=1",
      "?status=beta,published,featured,coming_soon",
    ])
      expect(await etag(`/api/catalog${same}`), same).toBe(first);
    const others = [
      "?page=2",
      "?pageSize=13",
      "?search=a",
      "?category=a",
      "?subcategory=a",
      "?pricing_tier=a",
      "?tag=a",
      "?tag=a&tag=b",
      "?status=beta",
      "?status=draft",
      "?sort=home",
      "?facets=tag",
    ];
    const tags = await Promise.all(others.map((other) => etag(`/api/catalog${other}`)));
    const codings = await Promise.all(["br", "gzip"].map((encoding) => etag("/api/catalog", encoding)));
    const all = [first, ...tags, ...codings, await etag("/api/catalog/harbour-icons")];
    expect(new Set(all).size).toBe(all.length);
    // All requests for hidden products look the same.
    expect(await etag("/api/catalog?status=archived,draft")).toBe(await etag("/api/catalog?status=draft"));
  });

  test.each([
    ["", 3, ["first=1", "next=2", "last=3"]],
    ["?page=2", 3, ["first=1", "prev=1", "next=3", "last=3"]],
    ["?page=3", 3, ["first=1", "prev=2", "last=3"]],
    ["?page=99", 3, ["first=1", "prev=3", "last=3"]],
    ["", 0, ["first=1", "last=1"]],
    ["?page=2", 0, ["first=1", "prev=1", "last=1"]],
    ["", 1, ["first=1", "last=1"]],
  ] as const)("[CAT-10] to %s of %s pages links to existing pages", async (query, totalPages, expected) => {
    gateway.answer("catalog.ListProducts", () => page({ total_pages: totalPages }));
    const { headers } = await get(`/api/catalog${query}`);
    const links = [...String(headers["link"]).matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(
      ([, url = "", rel]) => `${rel}=${new URL(url).searchParams.get("page")}`,
    );
    expect(links).toEqual(expected);
  });

  test("links to pages of the same query", async () => {
    const { headers } = await get(
      "/api/catalog?search=a%20%26%20b&tags=x,y&limit=5&status=beta&sort=newest&facets=tag&z=1",
    );
    const [, next = ""] = /<([^>]*)>; rel="next"/.exec(String(headers["link"])) ?? [];
    expect(next.startsWith("https://generate.example.com/api/catalog?")).toBe(true);
    await get(next.replace("https://generate.example.com", ""));
    const [first, second] = catalog.asked();
    expect(second?.request).toEqual({ ...first?.request, page: 2 });
  });

  test("[CAT-11] to HEAD is the same without the body", async () => {
    for (const encoding of ["identity", "br"]) {
      const whole = await get("/api/catalog", { "accept-encoding": encoding });
      for (let i = 0; i < 2; i++) {
        const head = await get("/api/catalog", { "accept-encoding": encoding }, "HEAD");
        expect(head.status).toBe(200);
        expect(head.body.length).toBe(0);
        const { date: _a, "x-request-id": _b, ...expected } = whole.headers;
        expect(head.headers).toMatchObject(expected);
      }
    }
  });

  test("a catalog response of a product is its two fields, and the same 404 for any product that is not public", async () => {
    expect(json(await get("/api/catalog/harbour-icons?x=1"))).toEqual({ data: {}, catalogProduct: {} });
    const answers = await Promise.all(
      ["draft-kit", "no-such", "x".repeat(150), "%E2%98%83"].map((slug) => get(`/api/catalog/${slug}`)),
    );
    const bodies = answers.map((answer) => ({ ...json(answer), request_id: "" }));
    expect(bodies[0]).toEqual({
      error: "No public product has this slug.",
      code: "product_not_found",
      message: "No public product has this slug.",
      hint: "Use a slug returned by GET /api/catalog.",
      docs: "/docs/errors#product_not_found",
      request_id: "",
    });
    for (const [i, answer] of answers.entries()) {
      expect(answer.status).toBe(404);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers).not.toHaveProperty("etag");
      expect(bodies[i]).toEqual(bodies[0]);
    }
  });
});

describe("a client with a cached catalog response", () => {
  serveEach();

  test("[CAT-09] gets 304 without a call of core, in any coding", async () => {
    await untilCached(catalog, () => get("/api/catalog"));
    for (const encoding of ["identity", "br", "gzip"]) {
      const { etag = "" } = (await get("/api/catalog", { "accept-encoding": encoding })).headers;
      catalog.forget();
      for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, `"x",${etag},"y"`]) {
        for (const accepted of ["br", "identity"]) {
          const answer = await get("/api/catalog", { "accept-encoding": accepted, "if-none-match": sent });
          expect(answer.status).toBe(304);
          expect(answer.body.length).toBe(0);
          expect(answer.headers).toMatchObject({
            etag,
            vary: "accept-encoding",
            "cache-control": "public, max-age=30, stale-while-revalidate=300",
            "access-control-allow-origin": "*",
          });
          expect(answer.headers).not.toHaveProperty("content-type");
        }
      }
      expect(catalog.asked()).toEqual([]);
    }
    expect((await get("/api/catalog", { "if-none-match": "*" })).status).toBe(304);
    expect((await get("/api/catalog", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("gets 304 from a gateway that never made that response", async () => {
    const { etag = "" } = (await get("/api/catalog?tag=a")).headers;
    await untilCached(catalog, () => get("/api/catalog"));
    catalog.forget();
    // Another spelling, which is not cached.
    const answer = await get("/api/catalog?tags=a&x=1", { "if-none-match": etag });
    expect(answer.status).toBe(304);
    expect(catalog.asked()).toEqual([]);
  });

  test("gets 404 for a removed product, whatever it has cached", async () => {
    const answer = await get("/api/catalog/no-such", { "if-none-match": "*" });
    expect(answer.status).toBe(404);
  });
});

describe("the gateway's catalog cache", () => {
  serveEach();

  test("answers a repeated request itself, with the same headers", async () => {
    for (const path of ["/api/catalog?search=a", "/api/catalog/harbour-icons"]) {
      const first = await get(path, { "accept-encoding": "br", "x-request-id": "mine-1" });
      await untilCached(catalog, () => get(path, { "accept-encoding": "br" }));
      const again = await get(path, { "accept-encoding": "br", "x-request-id": "mine-1" });
      expect({ ...again.headers, date: "" }).toEqual({ ...first.headers, date: "" });
      expect(again.names.map((name) => name.toLowerCase()).sort()).toEqual(
        first.names.map((name) => name.toLowerCase()).sort(),
      );
      expect(again.body).toEqual(first.body);
      expect((await get(path)).headers["x-request-id"]).toMatch(/^req_/);
    }
  });

  test("shares one entry between all spellings of a query", async () => {
    await untilCached(catalog, () => get("/api/catalog?tag=a,b&search=Icons"));
    catalog.forget();
    for (const query of ["tag=b&tag=a&search=icons", "tags=b,a&search=%20ICONS%20&limit=12"])
      expect((await get(`/api/catalog?${query}`)).status).toBe(200);
    expect(catalog.asked()).toEqual([]);
  });

  test("calls core once for many parallel requests", async () => {
    const { promise, resolve } = Promise.withResolvers<ListProductsReply>();
    gateway.answer("catalog.ListProducts", () => promise);
    const answers = Array.from({ length: 20 }, () => get("/api/catalog?search=crowd"));
    await expect.poll(() => catalog.asked().length).toBe(1);
    // The others are in flight by now, or find the cached page.
    resolve(page());
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    expect(catalog.asked().length).toBeLessThanOrEqual(2);
  });

  test("calls core each time while the stream is silent, broken, or core reports that it is behind", async () => {
    const breaks = [() => catalog.fallSilent(), () => catalog.hangUp(), () => catalog.tell({ fresh: false })];
    for (const doBreak of breaks) {
      await untilCached(catalog, () => get("/api/catalog"));
      doBreak();
      await expect
        .poll(async () => {
          catalog.forget();
          await get("/api/catalog");
          return catalog.asked().length;
        })
        .toBe(1);
      catalog.tell({ fresh: true });
    }
    await untilCached(catalog, () => get("/api/catalog"));
  });

  test("stores no page of another version than core's current one", async () => {
    await untilCached(catalog, () => get("/api/catalog"));
    gateway.answer("catalog.ListProducts", () => page({ revision: "e.9" }));
    for (let i = 0; i < 3; i++) {
      catalog.forget();
      await get("/api/catalog?search=other");
      expect(catalog.asked()).toHaveLength(1);
    }
  });

  test("[CLOCK-04] ends each page at the start or end of a sale by core's time, ten minutes ahead of this machine's", async () => {
    const edge = new Date(Date.now() + 600_000).toISOString();
    gateway.answer("catalog.ListProducts", () => page({ expires_at: edge }));
    await untilCached(catalog, () => get("/api/catalog?search=sale"));
    catalog.setAhead(599_500);
    catalog.tell({ next_edge_at: edge });
    await expect
      .poll(async () => {
        catalog.forget();
        await get("/api/catalog?search=sale");
        return catalog.asked().length;
      })
      .toBe(1);
    // By this machine's clock the sale would be over.
    const past = new Date(Date.now() - 300_000).toISOString();
    catalog.setAhead(-600_000);
    catalog.tell({ next_edge_at: past });
    gateway.answer("catalog.ListProducts", () => page({ expires_at: past }));
    await untilCached(catalog, () => get("/api/catalog?search=other"));
  });

  test("lets other caches keep a page as long as it is correct", async () => {
    const inSeconds = async (seconds: number) => {
      const expiresAt = new Date(Date.now() + seconds * 1000 + 500).toISOString();
      gateway.answer("catalog.ListProducts", () => page({ expires_at: expiresAt }));
      return (await get(`/api/catalog?search=in${seconds}`)).headers["cache-control"];
    };
    expect(await inSeconds(0)).toBe("public, max-age=0");
    // Less than ten seconds pass in between, on any machine.
    expect(await inSeconds(20)).toMatch(/^public, max-age=(1\d|20)$/);
    expect(await inSeconds(100)).toMatch(/^public, max-age=30, stale-while-revalidate=(6\d|70)$/);
    expect(await inSeconds(1000)).toBe("public, max-age=30, stale-while-revalidate=300");
  });
});

describe("[CAT-13] without core the catalog", () => {
  serveEach();

  test.each(["service_unavailable", "deadline_exceeded", "catalog_unavailable"] as const)(
    "returns %s as catalog_unavailable with 500 until core is back",
    async (code) => {
      gateway.fail("catalog.ListProducts", () => new AppError(code, { retryAfterSeconds: 2 }));
      const answer = await get("/api/catalog");
      expect(answer.status).toBe(500);
      expect(answer.headers).toMatchObject({ "retry-after": "2", "cache-control": "no-store" });
      expect(json(answer)).toEqual({
        error: "The catalog is unavailable for the moment.",
        code: "catalog_unavailable",
        message: "The catalog is unavailable for the moment.",
        hint: "Try again with backoff.",
        docs: "/docs/errors#catalog_unavailable",
        request_id: answer.headers["x-request-id"],
        retry_after_seconds: 2,
      });
      gateway.answer("catalog.ListProducts", () => page());
      expect((await get("/api/catalog")).status).toBe(200);
    },
  );

  test("delays no request for longer than three seconds", async () => {
    await get("/api/catalog");
    await get("/api/catalog/harbour-icons");
    for (const { options } of gateway.calls.filter(({ method }) => method !== "catalog.WatchCatalog"))
      expect(options.deadlineMs).toBe(3_000);
  });

  test("reports a bug of core as internal, and logs it", async () => {
    gateway.fail("catalog.ListProducts", () => new Error("secret detail"));
    const answer = await get("/api/catalog");
    expect(answer.status).toBe(500);
    expect(json(answer)).toMatchObject({ code: "internal" });
    expect(answer.body.toString()).not.toContain("secret");
    expect(gateway.errors).toHaveLength(1);
  });
});

describe("the catalog's rate limit by address", () => {
  serveEach({ ATELIER_RATE_LIMITS: "on", ATELIER_RATE_CATALOG: "5" });

  test("[CAT-14] is in every response, cached ones too, and refuses with whole seconds", async () => {
    for (let left = 4; left >= 0; left--) {
      const { status, headers } = await get("/api/catalog");
      expect(status).toBe(200);
      expect(headers["ratelimit-policy"]).toBe('"catalog";q=5;w=60');
      expect(headers["ratelimit"]).toMatch(new RegExp(`^"catalog";r=${left};t=\\d+$`));
    }
    for (const path of [
      "/api/catalog",
      "/api/catalog?search=x",
      "/api/catalog?page=0",
      "/api/catalog/x",
      "/sitemap.xml",
    ]) {
      const refused = await get(path);
      expect(refused.status, path).toBe(429);
      expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d?$/);
      expect(json(refused)).toMatchObject({
        code: "rate_limited",
        retry_after_seconds: Number(refused.headers["retry-after"]),
      });
      expect(json(refused)).not.toHaveProperty("ok");
    }
  });

  test("counts each response once, cached or not, and each refusal once", async () => {
    await get("/api/catalog");
    await untilCached(catalog, () => get("/api/catalog"));
    while ((await get("/api/catalog")).status === 200);
    await get("/api/catalog");
    const text = await gateway.metrics.registry.metrics();
    expect(text).toContain('atelier_rate_refusals_total{limit="catalog"} 2\n');
    const route = 'method="GET",route="/api/catalog"';
    expect(text).toContain(`atelier_http_requests_total{${route},status="200"} 5\n`);
    expect(text).toContain(`atelier_http_requests_total{${route},status="429"} 2\n`);
  });

  test("neither counts nor refuses 304 responses", async () => {
    const { etag = "" } = (await get("/api/catalog")).headers;
    for (let i = 0; i < 20; i++)
      expect((await get("/api/catalog", { "if-none-match": etag })).status).toBe(304);
  });

  test("uses the trusted proxy's address, for cached responses too", async () => {
    await gateway.close();
    await serve({ ATELIER_RATE_LIMITS: "on", ATELIER_RATE_CATALOG: "2", ATELIER_TRUST_PROXY: "1" });
    const from = async (forwarded: string) =>
      await get("/api/catalog", { "x-forwarded-for": forwarded, "x-forwarded-proto": "https" });
    const [first, second] = [await from("192.0.2.1"), await from("198.51.100.7, 192.0.2.1")];
    expect([first.status, second.status]).toEqual([200, 200]);
    for (const { headers } of [first, second])
      expect(headers["strict-transport-security"]).toMatch(/^max-age=/);
    expect((await from("192.0.2.1")).status).toBe(429);
    expect((await from("192.0.2.2")).status).toBe(200);
  });
});

test("[CAT-11] only reads are allowed; other methods are refused with Allow, and CORS is open", async () => {
  await serve();
  onTestFinished(() => gateway.close());
  for (const path of ["/api/catalog", "/api/catalog/harbour-icons"]) {
    await untilCached(catalog, () => get(path));
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const response = await fetch(gateway.url + path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    }
    const preflight = await fetch(gateway.url + path, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("if-none-match");
  }
});
