// docs/architecture/overview.md against the folders that there are and the order that scripts/boundaries.ts holds them to.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { TOWERS } from "../../scripts/boundaries.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${ROOT}/docs/architecture/overview.md`, "utf8");

/** What is quoted in each row of the table below this heading, by cell. */
function tableBelow(heading: string): string[][][] {
  const [, below = ""] = page.split(`${heading}\n`);
  return (below.split(/\n#+ /)[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)),
    );
}

const foldersIn = (folder: string) =>
  readdirSync(`${ROOT}/${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(`${ROOT}/${folder}/${entry.name}`).length > 0)
    .map(({ name }) => name)
    .sort();
const roomsOf = (floors: readonly string[]) =>
  floors.filter((floor) => floor.endsWith("/")).map((floor) => floor.slice(1, -1));

const TOLD = new Map(
  tableBelow("### Rooms of the others").map(([[folder = ""] = [], rooms = []]) => [
    folder.slice(0, -1),
    rooms,
  ]),
);

describe("the rooms", () => {
  test.each(TOWERS.map(({ folder, floors }) => [folder, floors] as const))(
    "of %s are those that have a floor",
    (folder, floors) => {
      expect(foldersIn(folder)).toEqual(roomsOf(floors).toSorted());
    },
  );

  test.each(
    TOWERS.filter(({ folder }) => folder !== "core").map(({ folder, floors }) => [folder, floors] as const),
  )("of %s are told from the lowest", (folder, floors) => {
    expect(TOLD.get(folder)).toEqual(roomsOf(floors));
  });

  test("of proto and cli, which have no floors, are told", () => {
    for (const folder of ["proto", "cli"]) expect(TOLD.get(folder)?.toSorted()).toEqual(foldersIn(folder));
    expect([...TOLD.keys()].sort()).toEqual(
      ["proto", "cli", ...TOWERS.map(({ folder }) => folder).filter((folder) => folder !== "core")].sort(),
    );
  });

  test("of core are told from the highest", () => {
    const [, ...told] = tableBelow("### The floors of core").map(([names = []]) => names);
    const { floors = [] } = TOWERS.find(({ folder }) => folder === "core") ?? {};
    const ordered = floors
      .slice(0, -1)
      .toReversed()
      .map((floor) => floor.replaceAll("/", ""));
    expect(told.flat()).toEqual(ordered);
  });
});

test("every folder of the service and of its workshop is told", () => {
  const told = tableBelow("## Folders").flatMap(([names = []]) => names);
  const notOurs = ["artifacts", "docs", "node_modules"];
  const there = foldersIn(".").filter((name) => !name.startsWith(".") && !notOurs.includes(name));
  expect(told.map((name) => name.slice(0, -1)).sort()).toEqual(there);
});
