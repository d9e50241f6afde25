// Holds test/requirements.ts against the titles of all tests: nothing is demanded that nobody proves, nothing cited that is not demanded.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

const TEST_DIR = fileURLToPath(new URL(".", import.meta.url));
// The first string after the name of a test or a group, or after the rows of test.each.
const TITLE = /(?:\b(?:test|describe)(?:\.concurrent)?|\]\)|\bconst\))\(\s*(["'`])((?:(?!\1).)+)\1/gs;
const CITED = /\[([A-Z]+-\d+)\]/g;

const titles = readdirSync(TEST_DIR, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) => {
    const source = readFileSync(join(TEST_DIR, file), "utf8");
    return [...source.matchAll(TITLE)].map(([, , title = ""]) => ({
      file: file.replaceAll("\\", "/"),
      title,
    }));
  });
const cited = new Set(titles.flatMap(({ title }) => [...title.matchAll(CITED)].map(([, id = ""]) => id)));

test("the titles of the tests are found", () => {
  expect(titles.length).toBeGreaterThan(300);
  expect(cited.size).toBeGreaterThan(50);
});

test("every requirement is proven by a test", () => {
  const unproven = Object.entries(REQUIREMENTS)
    .filter(([id, { provenBy }]) => !cited.has(id) && !provenBy)
    .map(([id, { behaviour }]) => `${id}: ${behaviour}`);
  expect(unproven).toEqual([]);
});

test("every cited id is a requirement", () => {
  expect([...cited].filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
});

describe("tests named by requirements", () => {
  const named = Object.entries(REQUIREMENTS).flatMap(([id, { provenBy = [] }]) =>
    provenBy.map(([file, title]) => [id, file, title] as const),
  );

  test.each(named)("of %s are there: %s, %s", (_id, file, title) => {
    expect(titles.some((one) => one.file === file && one.title.includes(title))).toBe(true);
  });
});

test("every requirement says where it stands and what it is", () => {
  for (const { source, behaviour } of Object.values(REQUIREMENTS)) {
    expect(source).toMatch(/^(interface|contract) \d/);
    expect(behaviour).toMatch(/^\S.*\.$/);
  }
});
