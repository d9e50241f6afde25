// Words for a query that matches nothing: which parameter excluded everything, and what helps.
import type { Emptiness } from "./index/catalog-index.ts";
import type { Parameter } from "./index/conditions.ts";

const ALONE: Record<Parameter, string> = {
  search:
    "No product has all words of search, not even with one letter changed; signs alone are no word. Use fewer or other words, or leave search out.",
  category: "No product has this category. Leave category out, or take one that facets=category counts.",
  subcategory: "No product has this subcategory. Leave subcategory out, or take one that products show.",
  pricing_tier:
    "No product has this pricing_tier. Leave pricing_tier out, or take one that facets=pricing_tier counts.",
  tag: "No product has all of these tags. Leave tag out, or take tags that facets=tag counts.",
  status:
    "No product has such a status. Leave status out, or use published, featured, coming_soon or beta; drafts and archived products are never listed.",
  price_min: "No product costs as much as price_min. Leave price_min out, or lower it.",
  price_max: "No product costs as little as price_max. Leave price_max out, or raise it.",
  sort: "No product has a place in the home showcase. Use another sort.",
};

export function toHint(emptiness: Emptiness): string {
  switch (emptiness.kind) {
    case "alone":
      return ALONE[emptiness.parameter];
    case "together": {
      const { parameter, others } = emptiness;
      const found = others === 1 ? "1 product matches" : `${others} products match`;
      return parameter === "sort"
        ? `Nothing that matches has a place in the home showcase; with another sort ${found}.`
        : `Nothing matches ${parameter} together with the rest; without ${parameter} ${found}.`;
    }
    case "several":
      return `Nothing matches ${emptiness.parameters.join(", ")} together. Leave some of them out.`;
  }
}
