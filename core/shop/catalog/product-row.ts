// A product as operators write and read it: one JSON object with every field by its stored name. This file has the shape and the limits of
// each field.
import { z } from "zod";
import { MAX_SLUG_CHARACTERS, PRODUCT_STATUSES } from "../../../proto/resources/product.ts";
import type { SET_BY_EDIT } from "./rules.ts";
import type { ProductDoc } from "./store.ts";

const MAX_CENTS = 100_000_000;
const MAX_TAGS = 30;
const MAX_RANK = 1_000_000_000;
const MAX_POPULARITY = Number.MAX_SAFE_INTEGER;

/** The slug of a product, category, subcategory, tag or tier. */
export const slugSchema = z
  .string()
  .max(MAX_SLUG_CHARACTERS)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters and digits, joined by hyphens");

/** Trimmed, one line. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
    error: "must be one line of well-formed text",
  });

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes("\u0000"), {
      error: "must be well-formed text",
    })
    .transform((value) => value || null);

const cents = z.number().int().min(0).max(MAX_CENTS);
const time = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .refine((value) => !Number.isNaN(value.getTime()), { error: "must be a time like 2026-01-31T09:30:00Z" });
/** Absolute, or a path on the public site. */
const address = z
  .string()
  .max(2048)
  .refine((value) => /^\/(?!\/)/.test(value) || /^https?:\/\//.test(value), {
    error: "must be an http or https URL, or a path that begins with /",
  })
  .refine((value) => URL.canParse(value, "http://localhost"), { error: "must be a valid URL" });

const saleSchema = z
  .strictObject({
    price_cents: cents,
    starts_at: time.nullish().transform((value) => value ?? null),
    ends_at: time.nullish().transform((value) => value ?? null),
  })
  .refine(({ starts_at, ends_at }) => !starts_at || !ends_at || starts_at < ends_at, {
    error: "must end after it starts",
  });

/** Null clears a field; an absent one keeps its value. */
export const productRowSchema = z.strictObject({
  slug: slugSchema,
  id: z.uuid().toLowerCase().optional(),
  name: nameSchema.optional(),
  status: z.enum(PRODUCT_STATUSES).optional(),
  tagline: text(300).nullish(),
  description: text(10_000).nullish(),
  price_regular_cents: cents.nullish(),
  client_price_cents: cents.nullish(),
  sale: saleSchema.nullish(),
  pricing_tier: slugSchema.nullish(),
  plus_only: z.boolean().nullish(),
  demo_url: address.nullish(),
  cover_image_url: address.nullish(),
  category: slugSchema.nullish(),
  subcategory: slugSchema.nullish(),
  tags: z
    .array(slugSchema)
    .max(MAX_TAGS)
    .transform((tags) => [...new Set(tags)])
    .nullish(),
  rating_average: z
    .number()
    .min(0)
    .max(5)
    .transform((value) => Math.round(value * 100) / 100)
    .nullish(),
  rating_count: z.number().int().min(0).max(MAX_RANK).nullish(),
  popularity: z.number().int().min(0).max(MAX_POPULARITY).nullish(),
  featured_rank: z.number().int().min(-MAX_RANK).max(MAX_RANK).nullish(),
  home_order: z.number().int().min(-MAX_RANK).max(MAX_RANK).nullish(),
  published_at: time.nullish(),
  cost_cents: cents.nullish(),
  supplier_notes: text(10_000).nullish(),
  download_key: text(500).nullish(),
});

export type ProductRow = z.output<typeof productRowSchema>;

const { slug: _slug, id: _id, name: _name, ...clearable } = productRowSchema.shape;

/** The defaults of fields that are never null. */
const FIRST = { status: "draft" as const, plus_only: false, tags: [], rating_count: 0, popularity: 0 };

type Nulls = Record<Exclude<keyof typeof clearable, keyof typeof FIRST>, null>;
type Clearable = Exclude<
  keyof typeof clearable | keyof ProductDoc,
  "_id" | "slug" | "name" | (typeof SET_BY_EDIT)[number]
>;
/**
 * The defaults of fields that are neither given nor stored. The code does not compile if a field of the row or of ProductDoc is missing in
 * the other.
 */
const EMPTY: { [Field in Clearable]: Field extends keyof ProductDoc ? ProductDoc[Field] : never } = {
  ...(Object.fromEntries(Object.keys(clearable).map((field) => [field, null])) as Nulls),
  ...FIRST,
};

/** The stored product as changed by a row. `name` is known to exist. */
export function mergeRow(
  before: ProductDoc | undefined,
  row: ProductRow,
  fresh: { id: string; now: Date },
): ProductDoc {
  const { id, slug, ...fields } = row;
  const given = Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, value ?? EMPTY[field as keyof typeof EMPTY]]),
  );
  return {
    ...EMPTY,
    name: slug,
    created_at: fresh.now,
    updated_at: fresh.now,
    catalog_version: null,
    ...before,
    ...given,
    _id: before?._id ?? id ?? fresh.id,
    slug,
  };
}

/** The row that makes this product again, with every field. */
export function toRow(product: ProductDoc): Record<string, unknown> {
  const {
    _id: id,
    created_at: _created,
    updated_at: _updated,
    catalog_version: _version,
    ...fields
  } = product;
  return { id, ...fields };
}
