// Compares pages of docs/ with their sources: the glossary, the index, the collections, and the folders with their order.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ALL_COLLECTIONS } from "../../core/entry/migrate.ts";
import { LAYERS, listedIn } from "../../scripts/boundaries.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const fileOf = (path: string) => `${ROOT}/${path}`;
const textOf = (path: string) => readFileSync(fileOf(path), "utf8");

const lines = textOf("docs/glossary.md")
  .split("\n")
  .filter((line) => line.startsWith("- "));
/** - **word** (`file`): meaning */
const ROW = /^- \*\*(.+?)\*\* \(`(.+?)`\): (.+)$/;
const rows = lines.map((line) => {
  const [, word = "", where = "", meaning = ""] = ROW.exec(line) ?? [];
  return { word, where, meaning };
});

test("the glossary explains each word once, with a meaning and a file", () => {
  expect(rows.length).toBeGreaterThan(60);
  expect(lines.filter((line) => !ROW.test(line))).toEqual([]);
  const words = rows.map(({ word }) => word);
  expect(words.filter((word, i) => words.indexOf(word) < i)).toEqual([]);
});

test.each(rows)("the file of the word $word exists and contains it", ({ word, where }) => {
  expect(existsSync(fileOf(where)), where).toBe(true);
  // "member key" matches memberKey and member_key; "entry" matches entries.
  const pattern = word.replace(/y$/, "(?:y|ies)").replaceAll(" ", "[ _-]?");
  expect(new RegExp(pattern, "i").test(textOf(where))).toBe(true);
});

test("every name quoted in a meaning is in the code", () => {
  const sources = [...new Set(rows.map(({ where }) => where))]
    .filter((path) => existsSync(fileOf(path)))
    .map(textOf)
    .join("\n");
  const quoted = rows.flatMap(({ meaning }) =>
    [...meaning.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});

test("the index of the documentation links every page", async () => {
  const linked = new Set(
    [...textOf("docs/README.md").matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, path]) => path),
  );
  const pages = (await Array.fromAsync(glob("**/*.md", { cwd: fileOf("docs") }))).filter(
    (page) => page !== "README.md",
  );
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((page) => !linked.has(page))).toEqual([]);
});

test("the data page lists every collection once, and no other", () => {
  const [, below = ""] = textOf("docs/architecture/data.md").split("## Collections\n");
  const listed = [...(below.split(/^## /m)[0] ?? "").matchAll(/^- ((?:`[\w.]+`(?:, )?)+):/gm)].flatMap(
    ([, names = ""]) => names.replaceAll("`", "").split(", "),
  );
  expect(listed.toSorted()).toEqual(ALL_COLLECTIONS.map(({ name }) => name).toSorted());
});

const overview = textOf("docs/architecture/overview.md");

/** What is quoted in each item of the list below this heading: before the colon, and after it. */
function listBelow(heading: string): [names: string[], quoted: string[]][] {
  const [, below = ""] = overview.split(`${heading}\n`);
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
  readdirSync(fileOf(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(fileOf(`${folder}/${entry.name}`)).length > 0)
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
    const there = readdirSync(fileOf("core/entry")).filter((name) => name.endsWith(".ts"));
    expect(listedIn("core/entry").toSorted()).toEqual(there.toSorted());
  });
});

test("the overview describes every folder", () => {
  const told = listBelow("## Folders").flatMap(([names]) => names);
  const notOurs = ["artifacts", "docs", "node_modules"];
  const there = foldersIn(".").filter((name) => !name.startsWith(".") && !notOurs.includes(name));
  expect(told.map((name) => name.slice(0, -1)).sort()).toEqual(there);
});
