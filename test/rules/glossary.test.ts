// Compares docs/glossary.md with the code: each word once, and in its file.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const lines = readFileSync(fileOf("docs/glossary.md"), "utf8")
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
  expect(new RegExp(pattern, "i").test(readFileSync(fileOf(where), "utf8"))).toBe(true);
});

test("every name quoted in a meaning is in the code", () => {
  const sources = [...new Set(rows.map(({ where }) => where))]
    .filter((path) => existsSync(fileOf(path)))
    .map((path) => readFileSync(fileOf(path), "utf8"))
    .join("\n");
  const quoted = rows.flatMap(({ meaning }) =>
    [...meaning.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});
