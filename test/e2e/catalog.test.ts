// The catalog from client to database and back: what is public, and how soon a change shows everywhere.
import { beforeAll, describe, expect, test } from "vitest";
import {
  catalogChangeSchema,
  catalogDetailSchema,
  type CatalogPageResource,
  catalogPageSchema,
} from "../../proto/resources/product.ts";
import { importRows, type Row, row } from "../core/shop/catalog/rows.ts";
import type { HttpCalls } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { expectPrompt } from "../support/thorough.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const VANISH_MS = 1_000;
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
});

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
