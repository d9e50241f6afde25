// README.md against the pages that it summarizes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const readme = textOf("README.md");

test("README has at most 90 lines", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
});

test("every figure of README stands in the page of performance or of reliability", () => {
  const figures = [...readme.matchAll(/(\d[\d.,]*)(?: per second|x as many)|within (\d+) s\b/g)].map(
    ([, figure, seconds]) => figure ?? `${seconds} s`,
  );
  const pages = `${textOf("docs/performance.md")}${textOf("docs/reliability.md")}`;
  expect(figures.length).toBeGreaterThan(5);
  expect(figures.filter((figure) => !new RegExp(`(?<![\\d.,])${figure}(?![\\d])`).test(pages))).toEqual([]);
});
