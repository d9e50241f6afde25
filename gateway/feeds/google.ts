// The product feed of Google Merchant Center, as RSS 2.0 with attributes of the namespace g, and as tab-separated text.
import {
  CURRENCY,
  descriptionOf,
  GOOGLE_CATEGORY,
  imageOf,
  productOf,
  shelfOf,
} from "../../proto/resources/offer.ts";
import type { OfferedLicence } from "../../proto/types/atelier/v1/OfferedLicence.ts";
import type { ProductOffer } from "../../proto/types/atelier/v1/ProductOffer.ts";
import { escape } from "../../runtime/html.ts";
import { type Feed, SELLER } from "./feed.ts";

/** In the order in which text feeds have their columns. */
export const GOOGLE_ATTRIBUTES = [
  "id",
  "title",
  "description",
  "link",
  "image_link",
  "availability",
  "price",
  "sale_price",
  "sale_price_effective_date",
  "brand",
  "condition",
  "identifier_exists",
  "product_type",
  "google_product_category",
] as const;
type GoogleItem = Partial<Record<(typeof GOOGLE_ATTRIBUTES)[number], string>>;

const MINUTE_MS = 60_000;
const MAX_TITLE = 150;
const MAX_DESCRIPTION = 5_000;
const MAX_TYPE = 750;
const NAMESPACE = "http://base.google.com/ns/1.0";
/** What no XML document may hold, not even escaped. */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** What would end a field or a line of a text feed. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

export function googleXml(baseUrl: string): Feed {
  return {
    contentType: "application/xml; charset=utf-8",
    head: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<rss xmlns:g="${NAMESPACE}" version="2.0">`,
      "<channel>",
      `<title>${SELLER}</title>`,
      `<link>${escape(baseUrl)}</link>`,
      "<description>Digital products that can be bought now.</description>\n",
    ].join("\n"),
    part: (offer) => {
      const item = itemOf(offer, baseUrl);
      if (!item) return "";
      const fields = GOOGLE_ATTRIBUTES.flatMap((name) =>
        item[name] === undefined ? [] : [`<g:${name}>${escape(inXml(item[name]))}</g:${name}>`],
      );
      return `<item>\n${fields.join("\n")}\n</item>\n`;
    },
    tail: "</channel>\n</rss>\n",
  };
}

export function googleText(baseUrl: string): Feed {
  return {
    contentType: "text/tab-separated-values; charset=utf-8",
    head: lineOf(GOOGLE_ATTRIBUTES),
    part: (offer) => {
      const item = itemOf(offer, baseUrl);
      return item ? lineOf(GOOGLE_ATTRIBUTES.map((name) => inText(item[name] ?? ""))) : "";
    },
    tail: "",
  };
}

/** The standard licence, whose price is first on the product's page. Free products are excluded, and products with client licences only. */
function itemOf(offer: ProductOffer, baseUrl: string): GoogleItem | undefined {
  const product = productOf(offer);
  const standard = offer.licences.find(({ licence }) => licence === "standard");
  if (!standard || standard.price_cents <= 0) return undefined;
  const shelf = shelfOf(offer);
  return {
    id: product.id,
    title: cut(product.name, MAX_TITLE),
    description: cut(descriptionOf(product), MAX_DESCRIPTION),
    link: product.url,
    image_link: imageOf(product, baseUrl),
    availability: "in_stock",
    ...pricesOf(standard, product.updated_at),
    brand: SELLER,
    condition: "new",
    identifier_exists: "no",
    ...(shelf !== "" && { product_type: cut(shelf, MAX_TYPE) }),
    google_product_category: GOOGLE_CATEGORY,
  };
}

/**
 * A sale with an end is included with its window, so that it ends in time whenever the feed is read; a future one without an end is
 * included once it has started. `updatedAt` replaces a missing start: the sale existed by then.
 */
function pricesOf(
  { price_cents: now, list_price_cents: list, sale }: OfferedLicence,
  updatedAt: string,
): GoogleItem {
  if (!sale || sale.price_cents >= list || sale.price_cents <= 0) return { price: money(now) };
  const prices = { price: money(list), sale_price: money(sale.price_cents) };
  if (sale.ends_at === "") return now === sale.price_cents ? prices : { price: money(list) };
  const [from, to] = [minuteAfter(sale.starts_at || updatedAt), minuteBefore(sale.ends_at)];
  return from < to ? { ...prices, sale_price_effective_date: `${from}/${to}` } : { price: money(list) };
}

function money(cents: number): string {
  return `${(cents / 100).toFixed(2)} ${CURRENCY}`;
}

/** Such as 2026-02-24T11:07Z: these times have no seconds, so a window is rounded inwards. */
function minuteBefore(time: string): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}

function minuteAfter(time: string): string {
  return minuteBefore(new Date(Date.parse(time) + MINUTE_MS - 1).toISOString());
}

/** Characters, so that none is cut in two. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : characters.slice(0, most).join("");
}

function inXml(text: string): string {
  return text.replace(NO_XML, " ");
}

function inText(text: string): string {
  const line = text.toWellFormed().replace(BREAKS, " ").trim();
  return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line;
}

function lineOf(fields: readonly string[]): string {
  return `${fields.join("\t")}\n`;
}
