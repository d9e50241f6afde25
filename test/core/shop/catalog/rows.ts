// Products as in an operator's file, and the calls that tests make with them.
import { expect } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { importProducts } from "../../../../core/shop/catalog/import-products.ts";
import type { CoreClient } from "../../../../proto/client.ts";
import type { CatalogPageResource } from "../../../../proto/resources/product.ts";
import type { ListProductsReply } from "../../../../proto/types/atelier/v1/ListProductsReply.ts";
import type {
  ListProductsRequest,
  ListProductsRequestInput,
} from "../../../../proto/types/atelier/v1/ListProductsRequest.ts";

export type Row = { slug: string } & Record<string, unknown>;

/** A published product; `over` overrides fields. */
export function row(slug: string, over: Record<string, unknown> = {}): Row {
  return {
    slug,
    name: `Product ${slug}`,
    status: "published",
    tagline: "Made for a test",
    price_regular_cents: 4900,
    published_at: "2025-01-01T00:00:00.000Z",
    ...over,
  };
}

/** The first page of everything. */
export const ANY: ListProductsRequest = {
  search: "",
  category: "",
  subcategory: "",
  pricing_tier: "",
  tags: [],
  statuses: [],
  sort: "",
  page: 1,
  page_size: 50,
  facets: [],
  typed: false,
};

/** Stores products without a core. Returns the catalog's version. */
export async function write(app: App, rows: readonly Row[]): Promise<number> {
  const { version, findings } = await importProducts(app, {
    rows: rows.map((item, i) => ({ line: i + 1, json: JSON.stringify(item) })),
    dryRun: false,
    createMissing: true,
  });
  expect(findings).toEqual([]);
  return version;
}

export function importRows(
  core: CoreClient,
  rows: readonly (Row | string)[],
  options: { dry_run?: boolean; create_missing?: boolean } = {},
) {
  return core.catalogAdmin.ImportProducts({
    rows: rows.map((item, i) => ({
      line: i + 1,
      json: typeof item === "string" ? item : JSON.stringify(item),
    })),
    create_missing: true,
    ...options,
  });
}

export async function list(
  core: CoreClient,
  query: ListProductsRequestInput = {},
): Promise<{ page: CatalogPageResource; reply: ListProductsReply }> {
  const reply = await core.catalog.ListProducts(query);
  return { page: JSON.parse(reply.body.toString("utf8")) as CatalogPageResource, reply };
}

export async function slugsOf(core: CoreClient, query: ListProductsRequestInput = {}): Promise<string[]> {
  return (await list(core, query)).page.data.map(({ slug }) => slug);
}
