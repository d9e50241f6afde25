// The services Catalog and CatalogAdmin of a real core, over gRPC.
import { describe, expect, test } from "vitest";
import {
  catalogChangeSchema,
  catalogDetailSchema,
  catalogPageSchema,
} from "../../../../proto/resources/product.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { importRows, list, row, slugsOf } from "./rows.ts";

const clock = createFakeClock("2026-01-01T00:00:00.000Z");

const testCore = useTestCore({ clock, env: { ATELIER_BASE_URL: "https://shop.example" } });
const core = sharedByTests(async () => testCore.client());

/** Waits until the catalog has the version of a write. */
async function seen(write: Promise<{ version: number }>): Promise<number> {
  const { version } = await write;
  await waitFor("the write to show", async () => (await core.catalog.ListProducts({})).version >= version);
  return version;
}

/** For tests that count the stored products. */
async function withdraw(...slugs: string[]): Promise<void> {
  await seen(
    importRows(
      core,
      slugs.map((slug) => row(slug, { status: "archived" })),
    ),
  );
}

async function linesSince(since: number, epoch = "") {
  const lines = [];
  for await (const { line } of core.catalog.ListChanges({ since, epoch }))
    lines.push(catalogChangeSchema.parse(JSON.parse(line.toString("utf8"))));
  return lines;
}

/** Without the epoch, which is the same in all of them. */
async function changesSince(since: number) {
  const lines = await linesSince(since);
  expect(new Set(lines.map(({ epoch }) => epoch)).size).toBe(1);
  return lines.map(({ epoch: _, ...change }) => change);
}

describe("a page of the catalog", () => {
  test("[CAT-03] shows public products only, in the documented shape", async () => {
    await seen(
      importRows(core, [
        row("kit-one", {
          name: "Kit One",
          status: "featured",
          category: "kits",
          subcategory: "dashboards",
          tags: ["dark", "charts"],
          price_regular_cents: 4950,
          client_price_cents: 19900,
          pricing_tier: "standard",
          plus_only: true,
          demo_url: "https://demo.example/kit-one",
          cover_image_url: "/covers/kit-one.svg",
          rating_average: 4.666,
          rating_count: 12,
          popularity: 7,
          cost_cents: 1,
          supplier_notes: "secret",
          download_key: "secret",
        }),
        row("kit-two", { status: "draft", name: "Hidden kit" }),
        row("kit-three", { status: "archived", name: "Old kit" }),
      ]),
    );
    const { page, reply } = await list(core, { typed: true });
    expect(catalogPageSchema.parse(page)).toEqual(page);
    expect(reply.body.toString("utf8")).toBe(
      `{"data":[${JSON.stringify(page.data[0])}],"catalogProducts":[${JSON.stringify(page.data[0])}],` +
        `"count":1,"total":1,"total_pages":1,"page":1}`,
    );
    expect(page.data[0]).toEqual({
      id: expect.any(String),
      name: "Kit One",
      slug: "kit-one",
      status: "featured",
      tagline: "Made for a test",
      description: null,
      price_regular: 49.5,
      client_price_usd: 199,
      effective_price: 49.5,
      pricing_tier: "standard",
      plus_only: true,
      demo_url: "https://demo.example/kit-one",
      cover_image_url: "https://shop.example/covers/kit-one.svg",
      category: "kits",
      subcategory: "dashboards",
      tags: ["dark", "charts"],
      rating_average: 4.67,
      rating_count: 12,
      published_at: "2025-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      url: "https://shop.example/products/kit-one",
    });
    expect(reply.products).toMatchObject([
      { slug: "kit-one", effective_price: 49.5, tags: ["dark", "charts"] },
    ]);
    const detail = await core.catalog.GetProduct({ slug: "kit-one" });
    const { data, catalogProduct } = catalogDetailSchema.parse(JSON.parse(detail.body.toString("utf8")));
    expect(data).toEqual(page.data[0]);
    expect(catalogProduct).toEqual(data);
    expect(detail.revision).toBe(reply.revision);
  });

  test("[CAT-04] shows current prices and how long they are valid", async () => {
    const at = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
    const [startsAt, endsAt] = [at(1), at(2)];
    await seen(
      importRows(core, [
        row("on-sale", { sale: { price_cents: 2450, starts_at: startsAt, ends_at: endsAt }, tags: ["sale"] }),
      ]),
    );
    const look = async () => {
      const { page, reply } = await list(core, { tags: ["sale"] });
      const detail = await core.catalog.GetProduct({ slug: "on-sale" });
      expect(detail).toMatchObject({ expires_at: reply.expires_at, revision: reply.revision });
      return { price: page.data[0]?.effective_price, expires: reply.expires_at, revision: reply.revision };
    };
    const before = await look();
    expect(before).toMatchObject({ price: 49, expires: startsAt });
    clock.set(new Date(Date.parse(startsAt) - 1));
    expect(await look()).toEqual(before);
    /** Includes the change at the start or end of a sale, which follows the price by a moment. */
    const pass = async (edge: string) => {
      const { version } = await core.catalog.ListProducts({});
      clock.set(edge);
      await waitFor("the edge", async () => (await core.catalog.ListProducts({})).version > version);
    };
    await pass(startsAt);
    const during = await look();
    expect(during).toMatchObject({ price: 24.5, expires: endsAt });
    await pass(endsAt);
    const after = await look();
    expect(after).toMatchObject({ price: 49, expires: "" });
    expect(new Set([before.revision, during.revision, after.revision]).size).toBe(3);
  });

  test("[CAT-40] shows no sale price for a product without a price", async () => {
    const sale = { price_cents: 100, starts_at: null, ends_at: null };
    await seen(
      importRows(core, [
        row("soon", { status: "coming_soon", price_regular_cents: null, sale, tags: ["soon"] }),
        row("soon-known", { status: "coming_soon", price_regular_cents: 4900, sale, tags: ["soon"] }),
        row("free-of-price", { price_regular_cents: null, sale, tags: ["soon"] }),
      ]),
    );
    const { page, reply } = await list(core, { tags: ["soon"], sort: "alphabetical" });
    const prices = page.data.map(({ slug, price_regular, effective_price }) => [
      slug,
      price_regular,
      effective_price,
    ]);
    expect(new Set(prices)).toEqual(
      new Set([
        ["soon", null, null],
        ["soon-known", 49, 49],
        ["free-of-price", null, null],
      ]),
    );
    expect(reply.expires_at).toBe("");
    await withdraw("soon", "soon-known", "free-of-price");
  });

  test("[CAT-41] is empty for a search without a letter or digit, and says why", async () => {
    await seen(importRows(core, [row("findable")]));
    for (const search of ["!!!", "-", "…", "~ & ~", "❤", " \t"]) {
      const { page } = await list(core, { search });
      expect(page).toMatchObject({ total: 0, data: [], hint: expect.stringContaining("search") });
    }
    expect((await list(core, { search: "" })).page.total).toBeGreaterThan(0);
    await withdraw("findable");
  });

  test("names the parameter that leaves no results", async () => {
    const hint = async (query: Parameters<typeof list>[1]) => (await list(core, query)).page.hint;
    expect(await hint({ category: "nowhere" })).toMatch(/^No product has this category/);
    expect(await hint({ search: "zzzzzz", category: "kits" })).toMatch(/^No product has all words of search/);
    expect(await hint({ statuses: ["draft"] })).toMatch(/^No product has such a status/);
    expect(await hint({ sort: "home" })).toMatch(/^No product has a place in the home showcase/);
    expect(await hint({ category: "kits", tags: ["sale"] })).toBe(
      "Nothing matches category together with the rest; without category 1 product matches.",
    );
    expect(await hint({ category: "kits" })).toBeUndefined();
  });

  test("is refused for invalid parameters, by their public names", async () => {
    const issues = async (query: Parameters<typeof list>[1]) =>
      ((await refusalOf(list(core, query)))["issues"] as { path: string }[]).map(({ path }) => path);
    expect(await issues({ sort: "cheapest" })).toEqual(["sort"]);
    expect(await issues({ page: -1, page_size: 51 })).toEqual(["page", "pageSize"]);
    expect(await issues({ search: "é".repeat(201) })).toEqual(["search"]);
    expect(await issues({ facets: ["price"] })).toEqual(["facets.0"]);
    expect((await list(core, { search: "é".repeat(200) })).page.total).toBe(0);
  });

  test("[CAT-08] counts facets over all matching products", async () => {
    const { page } = await list(core, { facets: ["tag", "category", "status"], page_size: 1 });
    expect(page.facets).toEqual({
      tag: [
        { value: "charts", count: 1 },
        { value: "dark", count: 1 },
        { value: "sale", count: 1 },
      ],
      category: [{ value: "kits", count: 1 }],
      status: [
        { value: "featured", count: 1 },
        { value: "published", count: 1 },
      ],
    });
    expect(Object.keys(page.facets ?? {})).toEqual(["tag", "category", "status"]);
  });
});

test("[CAT-02] a product that is not public appears in no list, search, facet, feed or site map, and its changes leave every response as it was", async () => {
  const ask = async () => ({
    page: await list(core, { page_size: 50, facets: ["category", "pricing_tier", "tag", "status"] }),
    search: await list(core, { search: "hidden" }),
    statuses: await list(core, { statuses: ["draft", "archived"] }),
    taxonomy: await core.catalog.ListTaxonomy({}),
    slugs: await core.catalog.ListSlugs({ limit: 50_000 }),
    feed: await changesSince(0),
  });
  const before = await ask();
  for (const name of ["Hidden once", "Hidden twice"]) {
    const { version } = await importRows(core, [
      row("secret-kit", { name, status: "draft", category: "secret-category", tags: ["secret-tag"] }),
      row("kit-three", { name, status: "archived" }),
    ]);
    expect(version).toBe(before.page.reply.version);
  }
  expect(await ask()).toEqual(before);
  expect(JSON.stringify(before)).not.toMatch(/secret|hidden/i);
});

describe("the catalog feed", () => {
  test("returns each product once with its latest state, then the version to continue from", async () => {
    const { version: since } = await core.catalog.ListProducts({});
    await seen(importRows(core, [row("fed", { popularity: 1 }), row("fed-too")]));
    await seen(importRows(core, [row("fed", { popularity: 2, name: "Fed again" })]));
    const feed = await changesSince(since);
    expect(feed).toMatchObject([
      { version: since + 1, op: "upsert", product: { slug: "fed-too" } },
      { version: since + 2, op: "upsert", product: { slug: "fed", name: "Fed again" } },
      { version: since + 2, op: "checkpoint" },
    ]);
    expect(await changesSince(since + 2)).toEqual([{ version: since + 2, op: "checkpoint" }]);
  });

  test("[CAT-42] reports the start and end of a sale like any other change", async () => {
    const at = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
    const sale = { price_cents: 2450, starts_at: at(1), ends_at: at(2) };
    // More of them at one moment than one version takes.
    const many = Array.from({ length: 700 }, (_, i) => row(`edge-${i}`, { sale }));
    let { version: since } = await core.catalog.ListProducts({});
    const copy = new Map<string, number | null>();
    const follow = async () => {
      for (const change of await changesSince(since)) {
        if (change.op === "upsert" && change.product.slug.startsWith("edge-"))
          copy.set(change.product.slug, change.product.effective_price);
        if (change.op === "checkpoint") since = change.version;
      }
      return new Set(copy.values());
    };
    await seen(importRows(core, many));
    expect(await follow()).toEqual(new Set([49]));
    expect(copy.size).toBe(700);
    for (const [edge, price] of [
      [sale.starts_at, 24.5],
      [sale.ends_at, 49],
    ] as const) {
      clock.set(edge);
      await waitFor("the copy to show the price", async () => {
        const prices = await follow();
        return prices.size === 1 && prices.has(price);
      });
      expect(await changesSince(since)).toEqual([{ version: since, op: "checkpoint" }]);
    }
    await withdraw(...copy.keys());
  });

  test("[CAT-43] names its epoch in every line, and refuses a cursor of another one", async () => {
    const { version } = await core.catalog.ListProducts({});
    const [{ epoch } = { epoch: "" }] = await linesSince(version);
    expect(epoch).not.toBe("");
    expect(await linesSince(version, epoch)).toEqual([{ epoch, version, op: "checkpoint" }]);
    expect(await refusalOf(linesSince(0, "another"))).toMatchObject({
      code: "invalid_request",
      message: `epoch is not the catalog's: that is ${epoch} now; begin again at 0 with an empty copy.`,
      issues: [{ path: "epoch" }],
    });
  });
});

describe("an import of products", () => {
  test("writes nothing when a row of the batch is wrong, and names each line", async () => {
    const before = await core.catalog.ListProducts({});
    const outcome = await importRows(core, [
      row("fine"),
      "{not json",
      row("Not A Slug"),
      row("no-name", { name: undefined }),
      row("fine", { name: "Again" }),
      row("bad-price", { price_regular_cents: 49.5, colour: "red" }),
      row("bad-sale", {
        sale: { price_cents: 1, starts_at: "2026-02-01T00:00:00Z", ends_at: "2026-01-01T00:00:00Z" },
      }),
      row("bad-parent", { subcategory: "dashboards", category: "fonts" }),
    ]);
    expect(outcome).toMatchObject({ created: 0, updated: 0, unchanged: 0, version: before.version });
    expect(outcome.findings).toEqual([
      { line: 2, slug: "", path: "", message: "is not valid JSON" },
      expect.objectContaining({ line: 3, path: "slug" }),
      { line: 4, slug: "no-name", path: "name", message: "is required for a new product" },
      { line: 5, slug: "fine", path: "slug", message: "is in line 1 already" },
      expect.objectContaining({ line: 6, slug: "bad-price", path: "price_regular_cents" }),
      { line: 6, slug: "bad-price", path: "colour", message: "is not a known field" },
      { line: 7, slug: "bad-sale", path: "sale", message: "must end after it starts" },
      { line: 8, slug: "bad-parent", path: "subcategory", message: "does not belong to the category" },
    ]);
    expect((await core.catalog.ListProducts({})).revision).toBe(before.revision);
    expect(await refusalOf(core.catalog.GetProduct({ slug: "fine" }))).toMatchObject({
      code: "product_not_found",
    });
    const { categories } = await core.catalogAdmin.ListCategories({});
    expect(categories.map(({ slug }) => slug)).not.toContain("fonts");
  });

  test("keeps a change of operators' fields out of public responses", async () => {
    const before = await core.catalog.GetProduct({ slug: "kit-one" });
    clock.advance(60_000);
    const outcome = await importRows(core, [{ slug: "kit-one", supplier_notes: "Paid.", cost_cents: 2 }]);
    expect(outcome).toMatchObject({ updated: 1, version: before.version });
    expect(await core.catalog.GetProduct({ slug: "kit-one" })).toEqual(before);
  });

  test("keeps an id from the file, and refuses one that is taken", async () => {
    const id = "0b0b0b0b-0000-4000-8000-000000000001";
    expect((await importRows(core, [row("with-id", { id })])).created).toBe(1);
    expect(
      (await importRows(core, [row("other", { id }), row("with-id", { id: id.replace("1", "2") })])).findings,
    ).toMatchObject([
      { line: 1, path: "id", message: "is the id of another product" },
      { line: 2, path: "id" },
    ]);
  });
});

test("categories and tags are searched by their current name", async () => {
  await seen(importRows(core, [row("named", { category: "gadgets", tags: ["shiny"] })]));
  expect(await slugsOf(core, { search: "gadgets" })).toEqual(["named"]);
  const { version } = await core.catalog.ListProducts({});
  await core.catalogAdmin.PutCategory({ slug: "gadgets", name: "Wonderful Contraptions" });
  await core.catalogAdmin.PutTag({ slug: "shiny", name: "Éblouissant" });
  await seen(Promise.resolve({ version: version + 2 }));
  expect(await slugsOf(core, { search: "contraptions" })).toEqual(["named"]);
  expect(await slugsOf(core, { search: "gadgets" })).toEqual([]);
  expect(await slugsOf(core, { search: "eblouis" })).toEqual(["named"]);
  expect(await slugsOf(core, { search: "shiny" })).toEqual(["named"]);
});

test("core itself refuses a status that does not exist", async () => {
  const wrong = core.catalogAdmin.SetProductStatus({ slug: "kit-one", status: "sold" });
  expect(await refusalOf(wrong)).toMatchObject({ code: "invalid_request", issues: [{ path: "status" }] });
});
