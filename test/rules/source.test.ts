// Compares the register of slices with the folders, and with the services made from it.
import { globSync, readFileSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@swc/core";
import { describe, expect, test } from "vitest";
import { servicesOf } from "../../core/entry/server.ts";
import { SLICES } from "../../core/entry/slices.ts";
import { LAYERS } from "../../scripts/boundaries.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The folders of the modules, from the lowest. */
const PLACES = (LAYERS.find(({ folder }) => folder === "core")?.layers ?? []).flatMap((module) =>
  (LAYERS.find(({ folder }) => folder === `core${module.slice(0, -1)}`)?.layers ?? []).map(
    (part) => `${module.slice(1, -1)}${part.slice(0, -1)}`,
  ),
);

describe("the register of slices", () => {
  test("lists every slice.ts by its folder", () => {
    const there = globSync("core/*/*/slice.ts", { cwd: ROOT }).map((path) =>
      path.replace(/^core\/|\/slice\.ts$/g, ""),
    );
    expect(SLICES.map(({ name }) => name).sort()).toEqual(there.sort());
  });

  test("has the order of the folders, in which accounts are erased and workers stop", () => {
    const names = SLICES.map(({ name }) => name);
    expect(names).toEqual(PLACES.filter((place) => names.includes(place)));
  });

  test("names each collection once", () => {
    const names = SLICES.flatMap(({ collections = [] }) => collections.map(({ name }) => name));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe("the services of a core", () => {
  test("are refused when no slice serves a method", () => {
    expect(() => servicesOf([])).toThrow("no slice serves Accounts.Authenticate");
  });

  test("are refused when two slices serve one method", () => {
    const served = { Accounts: { ListKeys: async () => ({ keys: [] }) } };
    expect(() => servicesOf([served, served])).toThrow("two slices serve Accounts.ListKeys");
  });
});

// An object literal with a getter keeps its whole request until V8 next collects the old generation (AdmittedCall in core/entry/server.ts
// has the reason), so what is made for each request is a class or has no getter.
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

// Templates drop white space with a line break: a space between a word and a link at the end of a line must be written as a value, `${"
// "}`.
const SITE = fileURLToPath(new URL("../../gateway/site", import.meta.url));
const INLINE = "(?:a|b|strong|em|code|kbd|time)";
const BEFORE = new RegExp(`[\\w,;:.’)]\\n\\s*<${INLINE}[\\s>]`, "g");
const AFTER = new RegExp(`</${INLINE}>\\n\\s*[\\w(“]`, "g");

/** Lines at which a word loses the space before its neighbour. */
export function lostSpaces(source: string): number[] {
  return [BEFORE, AFTER]
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .map(({ index }) => source.slice(0, index).split("\n").length)
    .sort((a, b) => a - b);
}

test("no text of the website is joined to a link, a name or code without a space", () => {
  const found = globSync("**/*.ts", { cwd: SITE }).flatMap((file) =>
    lostSpaces(readFileSync(join(SITE, file), "utf8")).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["html`<p>\n  Read\n  <a href=x>this</a>.</p>`", [2]],
  ["html`<p>\n  <a href=x>This</a>\n  helps.</p>`", [2]],
  ['html`<p>\n  Read${" "}\n  <a href=x>this</a>.</p>`', []],
  ["html`<p>\n  Read <a href=x>this</a>.</p>`", []],
])("%j", (source, lines) => {
  expect(lostSpaces(source)).toEqual(lines);
});
