// The demonstration catalog passes the rules of an operator's import.
import { expect, test } from "vitest";
import { demoProduct } from "../../../../core/shop/catalog/demo/product.ts";
import { DEMO_CATEGORIES, SHELVES } from "../../../../core/shop/catalog/demo/shelves.ts";
import { productRowSchema, toRow } from "../../../../core/shop/catalog/product-row.ts";
import { PRODUCT_STATUSES } from "../../../../proto/resources/product.ts";

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
