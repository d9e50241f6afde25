// Random catalog queries over HTTP from the existing values, each of them once.
import type { CatalogPageResource } from "../../proto/resources/product.ts";
import { mulberry32 } from "../../runtime/covers/mulberry32.ts";

const SORTS = ["newest", "alphabetical", "popular", "rating", "home"];
const PAGE_SIZES = ["6", "12", "12", "20", "24", "36", "50"];
const SEED = 7;

/** Query strings of filters, words and pages. `page` is one page with all four facets. */
export function randomQueries({ data, facets }: CatalogPageResource, count: number): string[] {
  const texts = data.map(({ name, description }) => `${name} ${description ?? ""}`.toLowerCase());
  const words = [...new Set(texts.flatMap((text) => text.match(/[a-z]{3,}/g) ?? []))];
  const [categories = [], tiers = [], tags = [], statuses = []] = (
    ["category", "pricing_tier", "tag", "status"] as const
  ).map((facet) => (facets?.[facet] ?? []).map(({ value }) => value));
  const random = mulberry32(SEED);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const chance = (part: number) => random() < part;
  const search = () => {
    const last = pick(words);
    return [...(chance(0.4) ? [pick(words)] : []), chance(0.3) ? last.slice(0, 3) : last].join(" ");
  };
  const queries = new Set<string>();
  while (queries.size < count) {
    const query = new URLSearchParams();
    if (chance(0.6)) query.set("search", search());
    if (chance(0.4)) query.set("category", pick(categories));
    if (chance(0.3)) query.append("tag", pick(tags));
    if (chance(0.1)) query.append("tag", pick(tags));
    if (chance(0.2)) query.set("pricing_tier", pick(tiers));
    if (chance(0.2)) query.set("status", pick(statuses));
    if (chance(0.6)) query.set("sort", pick(SORTS));
    if (chance(0.1)) query.set("facets", "category,tag");
    query.set("page", String(1 + Math.floor(random() * (chance(0.7) ? 3 : 500))));
    query.set("pageSize", pick(PAGE_SIZES));
    queries.add(query.toString());
  }
  return [...queries];
}
