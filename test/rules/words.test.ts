// The check of words must report each word in each kind of text.
import { describe, expect, test } from "vitest";
import { misusesOf, RULES, textsOf } from "../../scripts/words.ts";

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
