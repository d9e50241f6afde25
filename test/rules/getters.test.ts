// An object literal with a getter keeps its whole request until V8 next collects the old generation (AdmittedCall in core/entry/server.ts
// has the reason), so what is made for each request is a class or has no getter.
import { glob, readFile } from "node:fs/promises";
import { parse } from "@swc/core";
import { expect, test } from "vitest";

/** The index of the catalog is made once for each version of the catalog. */
const EXEMPT = "core/shop/catalog/index/";
const PRODUCT = "{core,edge,gateway,mcp,proto,runtime}/**/*.ts";

async function literalGettersIn(code: string): Promise<number> {
  const tree = JSON.stringify(await parse(code, { syntax: "typescript", target: "esnext" }));
  return tree.split('"type":"GetterProperty"').length - 1;
}

test("no object literal of the product has a getter, except in the catalog's index", async () => {
  const files = await Array.fromAsync(glob(PRODUCT));
  expect(files.length).toBeGreaterThan(500);
  const found: string[] = [];
  for (const file of files.filter((name) => !name.startsWith(EXEMPT))) {
    const code = await readFile(file, "utf8");
    if (/\bget\s+[\w[#"']/.test(code) && (await literalGettersIn(code)) > 0) found.push(file);
  }
  expect(found).toEqual([]);
});

test("a getter in an object literal is found, and one in a class is not", async () => {
  expect(await literalGettersIn("export const a = { get b() { return 1; } };")).toBe(1);
  expect(await literalGettersIn("export class A { get b() { return 1; } }")).toBe(0);
});
