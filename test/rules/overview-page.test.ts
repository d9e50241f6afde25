// Compares docs/architecture/overview.md with the folders and their order in scripts/boundaries.ts.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LAYERS, listedIn } from "../../scripts/boundaries.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${ROOT}/docs/architecture/overview.md`, "utf8");

/** What is quoted in each item of the list below this heading: before the colon, and after it. */
function listBelow(heading: string): [names: string[], quoted: string[]][] {
  const [, below = ""] = page.split(`${heading}\n`);
  const items = (below.split(/\n#+ /)[0] ?? "")
    .split(/\n(?=- )|\n\n/)
    .filter((item) => item.startsWith("- "));
  const quotedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  return items.map((item) => {
    const [head = "", ...rest] = item.split(": ");
    return [quotedIn(head), quotedIn(rest.join(": "))];
  });
}

const foldersIn = (folder: string) =>
  readdirSync(`${ROOT}/${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(`${ROOT}/${folder}/${entry.name}`).length > 0)
    .map(({ name }) => name)
    .sort();
const foldersOf = (layers: readonly string[]) =>
  layers.filter((layer) => layer.endsWith("/")).map((layer) => layer.slice(1, -1));

const TOLD = new Map(
  listBelow("### Folders of the others").map(([[folder = ""], folders]) => [folder.slice(0, -1), folders]),
);

const OTHERS = LAYERS.filter(({ folder }) => !folder.startsWith("core"));

describe("the order of folders", () => {
  test.each(LAYERS.map(({ folder, layers }) => [folder, layers] as const))(
    "of %s lists every folder",
    (folder, layers) => {
      expect(foldersIn(folder)).toEqual(foldersOf(layers).toSorted());
    },
  );

  test.each(OTHERS.map(({ folder, layers }) => [folder, layers] as const))(
    "of %s matches the overview",
    (folder, layers) => {
      expect(TOLD.get(folder)).toEqual(foldersOf(layers));
    },
  );

  test("is in the overview for proto and cli too, which have no check", () => {
    for (const folder of ["proto", "cli"]) expect(TOLD.get(folder)?.toSorted()).toEqual(foldersIn(folder));
    expect([...TOLD.keys()].sort()).toEqual(["proto", "cli", ...OTHERS.map(({ folder }) => folder)].sort());
  });

  test("of core is listed from the highest module", () => {
    const told = listBelow("### The modules of core").map(([names]) => names);
    const { layers = [] } = LAYERS.find(({ folder }) => folder === "core") ?? {};
    expect(told.flat()).toEqual(foldersOf(layers).toReversed());
  });

  test("has an entry in the README of core/entry for each file there", () => {
    const there = readdirSync(`${ROOT}/core/entry`).filter((name) => name.endsWith(".ts"));
    expect(listedIn("core/entry").toSorted()).toEqual(there.toSorted());
  });
});

test("the overview describes every folder", () => {
  const told = listBelow("## Folders").flatMap(([names]) => names);
  const notOurs = ["artifacts", "docs", "node_modules"];
  const there = foldersIn(".").filter((name) => !name.startsWith(".") && !notOurs.includes(name));
  expect(told.map((name) => name.slice(0, -1)).sort()).toEqual(there);
});
