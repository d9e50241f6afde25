// docs/architecture/data.md against the collections that the code makes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ALL_COLLECTIONS } from "../../core/entry/migrate.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/architecture/data.md", import.meta.url)), "utf8");
/** collection, index, key, only where, unique, for */
const INDEX_COLUMNS = 6;

const cellsOf = (row: string) =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll(/`| ↓/g, ""));
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map(cellsOf);

test("the page of data has a row for every collection", () => {
  const named = new Set(rows.map(([name]) => name));
  expect(ALL_COLLECTIONS.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

test("its table of indexes names exactly the indexes that there are, with their keys and whether they are unique", () => {
  const made = ALL_COLLECTIONS.flatMap(({ name, indexes }) =>
    indexes.map((index) => [
      name,
      index.name,
      Object.keys(index.key).join(", "),
      Boolean(index.options?.unique),
    ]),
  );
  const told = rows
    .filter(({ length }) => length === INDEX_COLUMNS)
    .map(([name, index, key, _where, unique]) => [name, index, key, unique === "yes"]);
  expect(told.sort()).toEqual(made.sort());
});
