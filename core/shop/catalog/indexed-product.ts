// The indexed form of a product.
import { type IndexedProduct } from "./index/base.ts";
import { effectiveSale, isPublicStatus, saleWindow } from "./rules.ts";
import type { ProductDoc } from "./store.ts";

/** The names of all categories and tags, by slug. */
export type TaxonomyNames = {
  readonly categories: ReadonlyMap<string, { readonly name: string; readonly parent: string | null }>;
  readonly tags: ReadonlyMap<string, string>;
};

/** Undefined for a product that is not public: the index never gets it. */
export function toIndexed(product: ProductDoc, names: TaxonomyNames): IndexedProduct | undefined {
  const { status, category, subcategory, tags, name, tagline, description, rating_average } = product;
  const sale = effectiveSale(product);
  if (!isPublicStatus(status)) return undefined;
  const ofCategory = (slug: string | null) =>
    slug === null ? "" : (names.categories.get(slug)?.name ?? slug);
  return {
    id: product._id,
    slug: product.slug,
    name,
    status,
    category,
    subcategory,
    pricingTier: product.pricing_tier,
    tags,
    texts: [
      name,
      tagline ?? "",
      description ?? "",
      ...tags,
      ...tags.map((tag) => names.tags.get(tag) ?? ""),
      ofCategory(category),
      ofCategory(subcategory),
    ],
    isFeatured: status === "featured",
    featuredRank: product.featured_rank,
    homeOrder: product.home_order,
    publishedAtMs: product.published_at?.getTime() ?? null,
    updatedAtMs: product.updated_at.getTime(),
    popularity: product.popularity,
    rating: rating_average === null ? null : Math.round(rating_average * 100),
    ratingCount: product.rating_count,
    priceCents: status === "coming_soon" ? null : product.price_regular_cents,
    sale: sale && { ...saleWindow(sale), priceCents: sale.price_cents },
    version: product.catalog_version ?? 0,
  };
}
