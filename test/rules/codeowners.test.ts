// CODEOWNERS names existing paths: a rule for a missing path has no effect.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const lines = readFileSync("CODEOWNERS", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(/\s+/));

test.each(lines)("%s", (path = "", ...owners) => {
  if (path !== "*") expect(existsSync(`.${path}`)).toBe(true);
  expect(owners.length).toBeGreaterThan(0);
  for (const owner of owners) expect(owner).toMatch(/^@[a-z]+\/[a-z]+$/);
});
