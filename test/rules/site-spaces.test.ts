// Templates drop white space with a line break: a space between a word and a link at the end of a line must be written as a value, `${"
// "}`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SITE = fileURLToPath(new URL("../../gateway/site", import.meta.url));
const INLINE = "(?:a|b|strong|em|code|kbd|time)";
const BEFORE = new RegExp(`[\\w,;:.’)]\\n\\s*<${INLINE}[\\s>]`, "g");
const AFTER = new RegExp(`</${INLINE}>\\n\\s*[\\w(“]`, "g");

/** Lines at which a word loses the space before its neighbour. */
export function lostSpaces(source: string): number[] {
  return [BEFORE, AFTER]
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .map(({ index }) => source.slice(0, index).split("\n").length)
    .sort((a, b) => a - b);
}

test("no text of the website is joined to a link, a name or code without a space", () => {
  const found = globSync("**/*.ts", { cwd: SITE }).flatMap((file) =>
    lostSpaces(readFileSync(join(SITE, file), "utf8")).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["html`<p>\n  Read\n  <a href=x>this</a>.</p>`", [2]],
  ["html`<p>\n  <a href=x>This</a>\n  helps.</p>`", [2]],
  ['html`<p>\n  Read${" "}\n  <a href=x>this</a>.</p>`', []],
  ["html`<p>\n  Read <a href=x>this</a>.</p>`", []],
])("%j", (source, lines) => {
  expect(lostSpaces(source)).toEqual(lines);
});
