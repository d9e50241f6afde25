// One product of the demonstration catalog, made from its number: the same number and day make the same product everywhere.
import { createHash } from "node:crypto";
import type { ProductStatus } from "../../../../proto/resources/product.ts";
import { mulberry32 } from "../../../../runtime/covers/mulberry32.ts";
import type { ProductDoc } from "../store.ts";
import { FIRST_NAMES, SHELVES, type Shelf } from "./shelves.ts";

const DAY_MS = 86_400_000;
/** The products on the front page are chosen from the first ones. */
const SHOWCASE_WITHIN = 300;
/** It has no common factor with the number of first names, so that a category uses each name once before any repeats. */
const NAME_STEP = 37;

/** Most products are public; the rest is there to be left out. */
const STATUSES: readonly [ProductStatus, share: number][] = [
  ["featured", 0.07],
  ["coming_soon", 0.04],
  ["beta", 0.04],
  ["draft", 0.05],
  ["archived", 0.03],
  ["published", 1],
];

/** What the file of such a product has (core/shop/library/demo-files.ts). */
const CLOSINGS = [
  "A sample product: its download has the cover, this text and the licences, not the rest.",
  "Made as a sample: you download the cover, this text and the licences, and nothing else.",
];

/** Dates of sales and publication count from `today`. The product has no version yet. */
export function demoProduct(i: number, today: Date): Omit<ProductDoc, "catalog_version"> {
  const random = mulberry32(Math.imul(i + 1, 0x9e3779b1));
  const shelf = SHELVES[i % SHELVES.length] as Shelf;
  const name = nameOf(shelf, i);
  const slug = slugOf(name);
  const status = pickStatus(random());
  const regular = priceOf(shelf, random());
  const published = new Date(today.getTime() - Math.floor(random() ** 1.5 * 900) * DAY_MS - i * 1_000);
  const isRated = status !== "coming_soon" && status !== "draft" && random() < 0.9;
  const popularity = Math.floor(10_000 * random() ** 4);
  const tags = pickSome(shelf.tags, 2 + Math.floor(random() * 3), random);
  const [first, ...others] = pickSome(shelf.features, 2 + Math.floor(random() * 2), random);
  return {
    _id: uuidOf(`atelier demo product ${i}`),
    slug,
    name,
    tagline: pick(shelf.taglines, random),
    description: `${[first, ...others].join(". ")}. ${pick(CLOSINGS, random)}`,
    status,
    price_regular_cents: status === "coming_soon" ? null : regular,
    client_price_cents: regular === 0 || status === "coming_soon" ? null : regular * 3 + 900,
    sale:
      regular >= 2_000 && random() < 0.14 && status !== "coming_soon" ? saleOf(regular, random, today) : null,
    pricing_tier: tierOf(regular),
    plus_only: random() < 0.08,
    demo_url: shelf.hasDemo && status !== "coming_soon" ? `/covers/${slug}.svg?view=2` : null,
    cover_image_url: `/covers/${slug}.svg`,
    category: shelf.category,
    subcategory: shelf.slug,
    tags,
    rating_average: isRated ? Math.round((5 - random() ** 2 * 1.8) * 100) / 100 : null,
    rating_count: isRated ? 1 + Math.floor(popularity / 12) : 0,
    popularity,
    featured_rank: status === "featured" && random() < 0.8 ? 1 + (i % 50) : null,
    home_order: i < SHOWCASE_WITHIN && i % 23 === 4 ? 1 + Math.floor(i / 23) : null,
    published_at: status === "draft" || status === "coming_soon" ? null : published,
    updated_at: new Date(Math.min(today.getTime(), published.getTime() + Math.floor(random() * 90) * DAY_MS)),
    created_at: new Date(published.getTime() - 30 * DAY_MS),
    cost_cents: Math.floor(regular * 0.4),
    supplier_notes: `Contract ${1_000 + i}; paid by the quarter.`,
    download_key: `demo/${slug}/v1.zip`,
  };
}

/** No two numbers have the same name: a category counts through its names and nouns, then through editions. */
function nameOf(shelf: Shelf, i: number): string {
  const place = SHELVES.indexOf(shelf);
  const k = Math.floor(i / SHELVES.length);
  const first = FIRST_NAMES[(k * NAME_STEP + place * 11) % FIRST_NAMES.length];
  const noun = shelf.nouns[Math.floor(k / FIRST_NAMES.length + k) % shelf.nouns.length];
  const edition = Math.floor(k / (FIRST_NAMES.length * shelf.nouns.length));
  return edition === 0 ? `${first} ${noun}` : `${first} ${noun} ${edition + 1}`;
}

function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-");
}

function pickStatus(value: number): ProductStatus {
  let rest = value;
  for (const [status, share] of STATUSES) {
    if (rest < share) return status;
    rest -= share;
  }
  return "published";
}

function priceOf({ price: { low, high } }: Shelf, value: number): number {
  if (low === 0 || value < 0.05) return value < 0.4 ? 0 : high * 100;
  const dollars = Math.round((low + value * (high - low)) / 5) * 5 - 1;
  // Some prices have cents, so that no one takes prices for whole numbers.
  return value > 0.9 ? dollars * 100 + 50 : dollars * 100;
}

function tierOf(cents: number): string {
  if (cents === 0) return "free";
  if (cents < 3_000) return "essential";
  return cents < 8_000 ? "standard" : "premium";
}

/** Half of the sales run now, a quarter is over, and a quarter is in the future. */
function saleOf(regular: number, random: () => number, today: Date): ProductDoc["sale"] {
  const day = (days: number) => new Date(today.getTime() + days * DAY_MS);
  const price_cents = Math.round((regular * (0.6 + random() * 0.25)) / 100) * 100;
  const when = random();
  if (when < 0.5) return { price_cents, starts_at: day(-7), ends_at: when < 0.1 ? null : day(14) };
  return when < 0.75
    ? { price_cents, starts_at: day(-60), ends_at: day(-30) }
    : { price_cents, starts_at: day(10), ends_at: day(24) };
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

function pickSome<T>(list: readonly T[], count: number, random: () => number): T[] {
  const start = Math.floor(random() * list.length);
  return Array.from({ length: Math.min(count, list.length) }, (_, i) => list[(start + i) % list.length] as T);
}

/** Of version 8, whose content is free. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
