// When a write of a product is a change, and for whom: every field, and every change of status.
import { describe, expect, test } from "vitest";
import { demoProduct } from "../../../../core/shop/catalog/demo/product.ts";
import { DEMO_CATEGORIES, SHELVES } from "../../../../core/shop/catalog/demo/shelves.ts";
import { productRowSchema, toRow } from "../../../../core/shop/catalog/product-row.ts";
import {
  decideEdit,
  effectiveSale,
  isPublicStatus,
  saleWindow,
  toUsd,
} from "../../../../core/shop/catalog/rules.ts";
import type { ProductDoc } from "../../../../core/shop/catalog/store.ts";
import { PRODUCT_STATUSES, PUBLIC_STATUSES } from "../../../../proto/resources/product.ts";
import { at, combinations, NOW, productDoc } from "../../../fixtures/docs.ts";

const MOMENT = { now: NOW, version: 9 };
const SALE = { price_cents: 10, starts_at: null, ends_at: null };

type Reach = "shown" | "order" | "private" | "set by the edit";
/** The audience of each field, with another value of it. A missing field does not compile. */
const FIELDS: { [K in keyof Required<ProductDoc>]: [Reach, ProductDoc[K]] } = {
  _id: ["shown", "7a0c9d4e-0000-4000-8000-000000000002"],
  slug: ["shown", "pen"],
  name: ["shown", "Pen"],
  tagline: ["shown", "a"],
  description: ["shown", "a"],
  status: ["shown", "beta"],
  price_regular_cents: ["shown", 1],
  client_price_cents: ["shown", 1],
  sale: ["shown", SALE],
  pricing_tier: ["shown", "a"],
  plus_only: ["shown", true],
  demo_url: ["shown", "/a"],
  cover_image_url: ["shown", "/a"],
  category: ["shown", "a"],
  subcategory: ["shown", "a"],
  tags: ["shown", ["a"]],
  rating_average: ["shown", 5],
  rating_count: ["shown", 1],
  published_at: ["shown", at(-1)],
  popularity: ["order", 1],
  featured_rank: ["order", 1],
  home_order: ["order", 1],
  cost_cents: ["private", 1],
  supplier_notes: ["private", "a"],
  download_key: ["private", "a"],
  updated_at: ["set by the edit", at(-1)],
  catalog_version: ["set by the edit", 1],
  created_at: ["set by the edit", at(-1)],
};
const names = Object.keys(FIELDS) as (keyof ProductDoc)[];

describe("an edit of one field", () => {
  test.each(names)("%s", (name) => {
    const [reach, value] = FIELDS[name];
    const before = productDoc();
    const wanted = productDoc({ [name]: value });
    const edit = decideEdit(before, wanted, MOMENT);
    if (reach === "set by the edit") expect(edit).toEqual({ kind: "none" });
    if (reach === "shown")
      expect(edit).toEqual({ kind: "public", product: { ...wanted, updated_at: NOW, catalog_version: 9 } });
    // Its place in lists changes public responses, but not the shown time.
    if (reach === "order")
      expect(edit).toEqual({ kind: "public", product: { ...wanted, catalog_version: 9 } });
    if (reach === "private") expect(edit).toEqual({ kind: "private", product: wanted });

    const hidden = productDoc({ status: "draft" });
    const hiddenEdit = decideEdit(hidden, productDoc({ status: "draft", [name]: value }), MOMENT);
    const kind = reach === "set by the edit" ? "none" : name === "status" ? "public" : "private";
    expect(hiddenEdit.kind).toBe(kind);
    if (hiddenEdit.kind === "private")
      expect(hiddenEdit.product).toMatchObject({ updated_at: NOW, catalog_version: 4 });
  });

  test("of a sale's price or times is public", () => {
    for (const change of [{ price_cents: 11 }, { starts_at: at(1) }, { ends_at: at(1) }])
      expect(
        decideEdit(productDoc({ sale: SALE }), productDoc({ sale: { ...SALE, ...change } }), MOMENT).kind,
      ).toBe("public");
  });
});

test("an edit of an unlisted field is public, and null counts as absent", () => {
  const [before, light, unweighed] = [{}, { weight: 1 }, { weight: null }].map((more) => ({
    ...productDoc(),
    ...more,
  })) as [ProductDoc, ProductDoc, ProductDoc];
  expect(decideEdit(before, light, MOMENT)).toMatchObject({
    kind: "public",
    product: { weight: 1, updated_at: NOW },
  });
  expect(decideEdit(light, before, MOMENT).kind).toBe("public");
  expect(decideEdit(before, unweighed, MOMENT)).toEqual({ kind: "none" });
});

describe("an edit of the status", () => {
  const statuses = [undefined, ...PRODUCT_STATUSES];
  test.each(combinations({ from: statuses, to: PRODUCT_STATUSES, published: [null, at(-500)] }))(
    "from $from to $to, published $published",
    ({ from, to, published }) => {
      const before = from && productDoc({ status: from, published_at: published });
      const edit = decideEdit(before, productDoc({ status: to, published_at: published }), MOMENT);
      const [was, is] = [from !== undefined && isPublicStatus(from), isPublicStatus(to)];
      const dated = published ?? (is ? NOW : null);
      if (from === to && dated === published) expect(edit).toEqual({ kind: "none" });
      else {
        expect(edit.kind).toBe(was || is ? "public" : "private");
        expect(edit).toMatchObject({
          product: {
            published_at: dated,
            catalog_version: was || is ? 9 : from === undefined ? null : 4,
            updated_at: NOW,
          },
        });
      }
    },
  );

  test("decides who may see a product", () => {
    expect(PRODUCT_STATUSES.filter(isPublicStatus)).toEqual([...PUBLIC_STATUSES]);
    expect(isPublicStatus("available")).toBe(false);
  });
});

test("a sale lowers the price of a purchasable product only", () => {
  for (const row of combinations({
    status: PRODUCT_STATUSES,
    sale: [null, SALE],
    price_regular_cents: [null, 0, 4_950],
  })) {
    const runs = row.status !== "coming_soon" && row.price_regular_cents !== null;
    expect([row, effectiveSale(row)]).toEqual([row, runs ? row.sale : null]);
  }
});

test("a sale's window is open on each side without a time", () => {
  for (const { starts_at, ends_at } of combinations({ starts_at: [null, NOW], ends_at: [null, at(1)] }))
    expect(saleWindow({ price_cents: 1, starts_at, ends_at })).toEqual({
      startsAtMs: starts_at?.getTime() ?? -Infinity,
      endsAtMs: ends_at?.getTime() ?? Infinity,
    });
  expect([null, 0, 1, 4_950].map(toUsd)).toEqual([null, 0, 0.01, 49.5]);
});

// The demonstration catalog passes the rules of an operator's import.
const today = new Date("2026-03-01T00:00:00.000Z");
const first = Array.from({ length: 300 }, (_, i) => ({ ...demoProduct(i, today), catalog_version: null }));

test("every product of the demonstration catalog can be imported", () => {
  for (const product of first) {
    const row: unknown = JSON.parse(JSON.stringify(toRow(product)));
    expect(productRowSchema.safeParse(row).error).toBeUndefined();
    expect(DEMO_CATEGORIES.map(({ slug }) => slug)).toContain(product.category);
    expect(SHELVES.find(({ slug }) => slug === product.subcategory)?.category).toBe(product.category);
  }
});

test("products of the demonstration catalog have unique names and slugs in any number", () => {
  const many = Array.from({ length: 20_000 }, (_, i) => demoProduct(i, today));
  expect(new Set(many.map(({ slug }) => slug)).size).toBe(20_000);
  expect(new Set(many.map(({ _id }) => _id)).size).toBe(20_000);
});

test("the same number gives the same product", () => {
  expect(demoProduct(7, today)).toEqual(demoProduct(7, today));
});

test("the demonstration catalog has every kind, status and price", () => {
  expect(new Set(first.map(({ status }) => status)).size).toBe(PRODUCT_STATUSES.length);
  expect(first.filter(({ home_order }) => home_order !== null).length).toBeGreaterThan(8);
  expect(first.filter(({ sale }) => sale !== null).length).toBeGreaterThan(15);
  expect(first.filter(({ plus_only }) => plus_only).length).toBeGreaterThan(5);
  expect(new Set(first.map(({ pricing_tier }) => pricing_tier)).size).toBe(4);
});
