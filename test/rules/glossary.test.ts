// docs/glossary.md against the code: each word once, and in the file that it names.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rows = readFileSync(fileOf("docs/glossary.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (word|-+) /.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test("each word stands there once, with what it means and where it lives", () => {
  expect(rows.length).toBeGreaterThan(60);
  for (const row of rows) {
    expect(row, row[0]).toHaveLength(3);
    expect(row).not.toContain("");
  }
  const words = rows.map(([word]) => word);
  expect(words.filter((word, i) => words.indexOf(word) < i)).toEqual([]);
});

describe("where a word lives", () => {
  test.each(rows.map(([word = "", , where = ""]) => [word, where.replaceAll("`", "")]))(
    "%s is a word of %s",
    (word, path) => {
      expect(existsSync(fileOf(path)), path).toBe(true);
      // "member key" is also memberKey and member_key; "entry" has entries.
      const pattern = word.replace(/y$/, "(?:y|ies)").replaceAll(" ", "[ _-]?");
      expect(new RegExp(pattern, "i").test(readFileSync(fileOf(path), "utf8"))).toBe(true);
    },
  );
});

test("what its meanings quote is found in the code", () => {
  const sources = [...new Set(rows.map(([, , where = ""]) => where.replaceAll("`", "")))]
    .filter((path) => existsSync(fileOf(path)))
    .map((path) => readFileSync(fileOf(path), "utf8"))
    .join("\n");
  const quoted = rows.flatMap(([, meaning = ""]) =>
    [...meaning.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});
