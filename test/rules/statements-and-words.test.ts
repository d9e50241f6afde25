// Compares docs/reference with the titles of all tests: each statement has a test, and each id in a title is a statement.
import { expect, test, describe } from "vitest";
import { readStatements, readTestTitles } from "../../scripts/evidence.ts";
import { misusesOf, RULES, textsOf } from "../../scripts/words.ts";

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

// The check of words must report each word in each kind of text.
describe("the check of words", () => {
  test.each(
    RULES.map(({ planted, kinds, but }) => ({ planted, kind: kinds?.[0] ?? "string", but }) as const),
  )("reports the planted text: $planted", ({ planted, kind, but }) => {
    expect(misusesOf({ kind, line: 1, text: planted }).map((misuse) => misuse.but)).toContain(but);
  });

  test.each([
    "Revoke it once at the end.",
    "The circuit breaker opens.",
    "Besides, it is free.",
    "`callback_url` receives the webhook.",
    "The endpoint answers within 10 s.",
  ])("accepts the correct text: %s", (text) => {
    expect(misusesOf({ kind: "prose", line: 1, text })).toEqual([]);
  });

  test("reads Markdown without code and link targets, and keeps the line numbers", async () => {
    const page = ["# Jobs", "", "```sh", "echo at once", "```", "See `at once`, [at once](at-once.md)."].join(
      "\n",
    );
    const texts = await textsOf("docs/page.md", page);
    expect(texts.filter((text) => misusesOf(text).length > 0)).toEqual([
      { kind: "prose", line: 6, text: "See `code`, [at once]." },
    ]);
  });

  test("reads strings, templates and identifiers of code, but no comments", async () => {
    const code = [
      "// at once",
      "const atOnce = 1;",
      "say(`job ${atOnce} ends at once`);",
      'throw new Error("not at once");',
    ].join("\n");
    const texts = await textsOf("core/a.ts", code);
    expect(texts.filter((text) => misusesOf(text).length > 0).map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});
