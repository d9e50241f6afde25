// Products as they look in every answer about them: the examples of the OpenAPI document. A test holds them against the schemas.
import type { CatalogPageResource, CatalogProductResource } from "../../proto/resources/product.ts";

export const PRODUCT: CatalogProductResource = {
  id: "5f0c1c1e-7a86-4a53-9d5c-2b6f6a1f0e11",
  name: "Harbour Icons",
  slug: "harbour-icons",
  status: "featured",
  tagline: "640 line icons for dashboards and apps",
  description: "Icons on a 24 pixel grid, as SVG and as a font, with light and dark variants.",
  price_regular: 49,
  client_price_usd: 149,
  effective_price: 39.5,
  pricing_tier: "standard",
  plus_only: false,
  demo_url: "https://example.com/demos/harbour-icons",
  cover_image_url: "https://example.com/covers/harbour-icons.svg",
  category: "icons",
  subcategory: "line-icons",
  tags: ["dashboard", "svg"],
  rating_average: 4.7,
  rating_count: 212,
  published_at: "2026-01-12T08:00:00.000Z",
  updated_at: "2026-01-30T15:20:00.000Z",
  url: "https://example.com/products/harbour-icons",
};

export const CATALOG_PAGE: CatalogPageResource = {
  data: [PRODUCT],
  catalogProducts: [PRODUCT],
  count: 1,
  total: 1,
  total_pages: 1,
  page: 1,
};

export const CATALOG_DETAIL = { data: PRODUCT, catalogProduct: PRODUCT };

export const CATALOG_CHANGES = [
  {
    epoch: "5f0c2a91",
    version: 41,
    op: "remove",
    id: "9f1d7c52-3c0b-4a0e-8f6e-6f2f0f7f4a10",
    slug: "old-kit",
  },
  { epoch: "5f0c2a91", version: 42, op: "upsert", product: PRODUCT },
  { epoch: "5f0c2a91", version: 42, op: "checkpoint" },
] as const;
