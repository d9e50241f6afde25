// README.md, CONTRIBUTING.md and the notes of measurements against their sources.
import { readFileSync, readdirSync } from "node:fs";
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

test("CONTRIBUTING lists the steps of npm run check, in their order", () => {
  const steps = [...textOf("scripts/check.ts").matchAll(/\{ name: "([^"]+)"/g)].map(([, name]) => name);
  const listed = [...textOf("CONTRIBUTING.md").matchAll(/^- ((?:\*\*[\w ]+\*\*(?:, )?)+):/gm)].flatMap(
    ([, names = ""]) => names.replaceAll("**", "").split(", "),
  );
  expect(steps.length).toBeGreaterThan(10);
  expect(listed).toEqual(steps);
});

test("the commands in CONTRIBUTING are scripts of package.json", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  const named = [...textOf("CONTRIBUTING.md").matchAll(/(?:^|`)npm (?!run`)(?:run )?([a-z][\w-]*)/gm)].map(
    ([, name = ""]) => name,
  );
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("the notes of measurements list every measurement", () => {
  const [, below = ""] = textOf("bench/RESULTS.md").split("## Repeat a measurement\n");
  const listed = [...below.matchAll(/^- `(\w+)`:/gm)].map(([, name]) => name);
  const there = readdirSync(fileURLToPath(new URL("../../bench", import.meta.url)))
    .filter((name) => name.endsWith(".ts") && name !== "run.ts")
    .map((name) => name.slice(0, -".ts".length));
  expect(listed.toSorted()).toEqual(there.toSorted());
});
