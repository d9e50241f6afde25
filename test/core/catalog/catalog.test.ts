// The services Catalog and CatalogAdmin of a real core, over the wire.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CoreClient } from "../../../proto/client.ts";
import {
  catalogChangeSchema,
  catalogDetailSchema,
  catalogPageSchema,
} from "../../../proto/resources/product.ts";
import { createFakeClock } from "../../support/clock.ts";
import { startTestCore, type TestCore } from "../../support/core.ts";
import { refusalOf } from "../../support/refusal.ts";
import { waitFor } from "../../support/wait-for.ts";
import { importRows, list, row, slugsOf } from "./rows.ts";

const clock = createFakeClock("2026-01-01T00:00:00.000Z");
let test_core: TestCore;
let core: CoreClient;

beforeAll(async () => {
  test_core = await startTestCore({ clock, env: { ATELIER_BASE_URL: "https://shop.example" } });
  core = test_core.client();
});
afterAll(() => test_core.close());

/** Waits until the catalog shows the version that a write answered. */
async function seen(write: Promise<{ version: number }>): Promise<number> {
  const { version } = await write;
  await waitFor("the write to show", async () => (await core.catalog.ListProducts({})).version >= version);
  return version;
}

async function changesSince(since: number) {
  const lines = [];
  for await (const { line } of core.catalog.ListChanges({ since }))
    lines.push(catalogChangeSchema.parse(JSON.parse(line.toString("utf8"))));
  return lines;
}

describe("a page", () => {
  test("shows public products only, in the shape of the contract", async () => {
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
});
