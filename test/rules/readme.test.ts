// Compares README.md, CONTRIBUTING.md, bench/RESULTS.md and CODEOWNERS with their sources.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const readme = textOf("README.md");

test("README has at most 90 lines", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
});

test("every figure of README is on the performance or reliability page", () => {
  const figures = [...readme.matchAll(/(\d[\d.,]*)(?: per second|x as many)|within (\d+) s\b/g)].map(
    ([, figure, seconds]) => figure ?? `${seconds} s`,
  );
  const pages = `${textOf("docs/performance.md")}${textOf("docs/reliability.md")}`;
  expect(figures.length).toBeGreaterThan(5);
  expect(figures.filter((figure) => !new RegExp(`(?<![\\d.,])${figure}(?![\\d])`).test(pages))).toEqual([]);
});

test("CONTRIBUTING lists the steps of npm run check in order", () => {
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

test.each([
  ["LICENSE", /All rights reserved\.[^]*UNLICENSED/],
  ["README.md", /All rights reserved: see \[LICENSE\]/],
  ["package.json", /"license": "UNLICENSED"/],
  ["clients/js/package.json", /"license": "UNLICENSED"/],
  ["clients/js/README.md", /All rights reserved: see \[LICENSE\]/],
  ["clients/python/pyproject.toml", /^license = "LicenseRef-UNLICENSED"$/m],
  ["clients/python/README.md", /All rights reserved: see \[LICENSE\]/],
  ["clients/verify-go/README.md", /All rights reserved: see \[LICENSE\]/],
])("%s has the project's licence statement", (path, statement) => {
  expect(textOf(path)).toMatch(statement);
});

describe("a newcomer finds within two clicks from README", () => {
  const pages = new Map([["README.md", 0]]);
  for (const [page, clicks] of pages)
    if (clicks < 2)
      for (const [, target = ""] of textOf(page).matchAll(/\]\(([^)#\s]+\.md)(?:#[\w-]+)?\)/g)) {
        const linked = posix.join(posix.dirname(page), target);
        if (!pages.has(linked)) pages.set(linked, clicks + 1);
      }

  test.each([
    ["how to run it", "README.md", /^npm start /m],
    ["how to run it in production", "docs/operations/production.md", /## Required settings/],
    ["a first request", "docs/guide/quickstart.md", /\/api\/v1\/connect\/generate/],
    ["which events a job emits", "docs/reference/events.md", /^- `debited`: /m],
    [
      "which arguments a tool takes",
      "docs/reference/tool-arguments.md",
      /^### connect_generate\n[^#]*`prompt` \(/m,
    ],
    ["how to verify a webhook", "docs/guide/webhooks.md", /## Verify the signature/],
    ["what a generation costs", "docs/guide/credits.md", /## What a credit costs/],
    ["how to upgrade", "docs/operations/upgrades.md", /## Upgrading/],
    ["what changes for clients", "docs/guide/versions.md", /## What stays/],
  ])("%s", (_question, page, content) => {
    expect(pages.get(page), `${page} is too far from README.md`).toBeLessThanOrEqual(2);
    expect(textOf(page)).toMatch(content);
  });
});

test("bench/RESULTS.md lists every measurement", () => {
  const [, below = ""] = textOf("bench/RESULTS.md").split("## Repeat a measurement\n");
  const listed = [...below.matchAll(/^- `(\w+)`:/gm)].map(([, name]) => name);
  const there = readdirSync(fileURLToPath(new URL("../../bench", import.meta.url)))
    .filter((name) => name.endsWith(".ts") && name !== "run.ts")
    .map((name) => name.slice(0, -".ts".length));
  expect(listed.toSorted()).toEqual(there.toSorted());
});

const owned = textOf("CODEOWNERS")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(/\s+/));

test.each(owned)("the path %s of CODEOWNERS exists and has owners", (path = "", ...owners) => {
  if (path !== "*") expect(existsSync(`.${path}`)).toBe(true);
  expect(owners.length).toBeGreaterThan(0);
  for (const owner of owners) expect(owner).toMatch(/^@[a-z]+\/[a-z]+$/);
});
