// The categories, tags and tiers of public products.
import { invalidField } from "../../../proto/codes.ts";
import type { ListSlugsReplyInput } from "../../../proto/types/atelier/v1/ListSlugsReply.ts";
import type { ListTaxonomyReplyInput } from "../../../proto/types/atelier/v1/ListTaxonomyReply.ts";
import type { CountedField } from "./index/base.ts";
import type { PageQuery } from "./index/catalog-index.ts";
import type { Catalog } from "./live-catalog.ts";

const MAX_SLUGS = 50_000;

const EVERYTHING: PageQuery = {
  words: [],
  category: null,
  subcategory: null,
  pricingTier: null,
  tags: [],
  statuses: null,
  sort: "newest",
  offset: 0,
  limit: 0,
  facets: [],
};

/** Throws catalog_unavailable. */
export async function listTaxonomy({ live }: Pick<Catalog, "live">): Promise<ListTaxonomyReplyInput> {
  const { index, names } = await live.current();
  const facets: CountedField[] = ["category", "subcategory", "tag", "pricing_tier"];
  const { facets: counted } = index.search({ ...EVERYTHING, facets });
  const valuesOf = (field: CountedField) =>
    [...(counted.find(({ facet }) => facet === field)?.values ?? [])].sort((a, b) =>
      a.value < b.value ? -1 : 1,
    );
  return {
    revision: live.state().revision,
    categories: [...valuesOf("category"), ...valuesOf("subcategory")].map(({ value, count }) => ({
      slug: value,
      name: names.categories.get(value)?.name ?? value,
      parent: names.categories.get(value)?.parent ?? "",
      products: count,
    })),
    tags: valuesOf("tag").map(({ value, count }) => ({
      slug: value,
      name: names.tags.get(value) ?? value,
      products: count,
    })),
    pricing_tiers: valuesOf("pricing_tier").map(({ value, count }) => ({
      pricing_tier: value,
      products: count,
    })),
  };
}

/** Newest first. Throws invalid_request and catalog_unavailable. */
export async function listSlugs(
  { live }: Pick<Catalog, "live">,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListSlugsReplyInput> {
  if (offset < 0 || limit < 1 || limit > MAX_SLUGS)
    throw invalidField("limit", `must be from 1 to ${MAX_SLUGS}, and offset at least 0`);
  const { index } = await live.current();
  const { total, slots } = index.search({ ...EVERYTHING, offset, limit });
  return {
    revision: live.state().revision,
    total,
    entries: slots.map((slot) => ({
      slug: index.slugAt(slot),
      updated_at: new Date(index.updatedAtMs(slot)).toISOString(),
    })),
  };
}
