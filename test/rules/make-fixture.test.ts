import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const script = readFileSync("scripts/make-fixture.js", "utf8");
const taken = [...script.matchAll(/const \{ (.+) \} = await release\("((?:runtime|core)\/.+)"\)/g)].map(
  ([, names = "", path = ""]) => ({ path, names: names.split(", ") }),
);

// The script imports a release's own build, so no compiler notices a moved module.
describe("the fixture script", () => {
  test("imports the current build", () => expect(taken.length).toBeGreaterThan(10));

  test.each(taken)("$path", async ({ path, names }) => {
    const module: object = await import(`../../${path}`);
    for (const name of names) expect(module).toHaveProperty(name);
  });
});
