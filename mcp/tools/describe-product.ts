// Describes products briefly, and completely enough for a model that sees only the text.
import type { CatalogPageResource, CatalogProductResource } from "../../proto/resources/product.ts";

type Product = CatalogProductResource;

/** The slug, name, price and status of a product, on one line. */
export function describeListedProduct(product: Product): string {
  const { slug, name, tagline } = product;
  const facts = [priceWords(product), ...stateWords(product), ...ratingWords(product)];
  return `${slug}: ${name}.${tagline === null ? "" : ` ${endSentence(tagline)}`} ${facts.join("; ")}.`;
}

/** Everything that helps to decide about a product. */
export function describeProduct(product: Product): string {
  const { description, category, subcategory, tags, demo_url, url } = product;
  const shelf = [category, subcategory].filter((slug) => slug !== null).join(" / ");
  return [
    describeListedProduct(product),
    ...(description === null ? [] : [description]),
    ...(shelf === "" ? [] : [`Category: ${shelf}.`]),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.join(", ")}.`]),
    ...(demo_url === null ? [] : [`Demo: ${demo_url}`]),
    `Page: ${url}`,
  ].join("\n");
}

/** One line for each requested facet. */
export function describeFacets(facets: NonNullable<CatalogPageResource["facets"]>): string[] {
  return Object.entries(facets).map(
    ([facet, values]) => `${facet}: ${values.map(({ value, count }) => `${value} (${count})`).join(", ")}`,
  );
}

/** For example 49 gives "$49" and 49.5 gives "$49.50". */
export function inDollars(usd: number): string {
  return `$${Number.isInteger(usd) ? usd : usd.toFixed(2)}`;
}

function priceWords({ effective_price, price_regular, client_price_usd }: Product): string {
  const price = effective_price ?? price_regular;
  if (price === null) return "no price yet";
  const sale =
    price_regular !== null && price < price_regular ? ` (on sale, else ${inDollars(price_regular)})` : "";
  const client = client_price_usd === null ? "" : `, client licence ${inDollars(client_price_usd)}`;
  return `${inDollars(price)}${sale}${client}`;
}

function stateWords({ status, plus_only }: Product): string[] {
  return [
    ...(status === "coming_soon" ? ["coming soon, not for sale yet"] : []),
    ...(status === "beta" ? ["beta"] : []),
    ...(plus_only ? ["only for members"] : []),
  ];
}

function ratingWords({ rating_average, rating_count }: Product): string[] {
  return rating_average === null ? [] : [`rated ${rating_average} of 5 by ${rating_count}`];
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
