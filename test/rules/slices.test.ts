// Compares the register of slices with the folders, and with the services made from it.
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
