// Compares docs/reference with the titles of all tests: each statement has a test, and each id in a title is a statement.
import { expect, test } from "vitest";
import { readStatements, readTestTitles } from "../../scripts/evidence.ts";

const statements = readStatements();
const titles = readTestTitles();

test("the parser finds statements and titles", () => {
  expect(statements.length).toBeGreaterThan(300);
  expect(titles.length).toBeGreaterThan(1_500);
  expect(statements.filter(({ text }) => !text.endsWith("."))).toEqual([]);
});

test("no statement id of docs/reference is used twice", () => {
  const ids = statements.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) < i)).toEqual([]);
});

test("every statement of docs/reference has a test with its id", () => {
  const shown = new Set(titles.flatMap(({ ids }) => ids));
  expect(statements.filter(({ id }) => !shown.has(id))).toEqual([]);
});

test("every id in a test's title is a statement of docs/reference", () => {
  const stated = new Set(statements.map(({ id }) => id));
  const unknown = titles.flatMap(({ file, title, ids }) =>
    ids.filter((id) => !stated.has(id)).map((id) => `${id}: ${file} › ${title}`),
  );
  expect(unknown).toEqual([]);
});
