// The repository's figures: what each counts, and which limits fail the check.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test, describe } from "vitest";
import { hottest } from "../../scripts/flame.ts";
import { useFolder } from "../support/shared.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/measure.ts", import.meta.url));

const root = useFolder("forEachTest");
beforeEach(() => {
  execFileSync("git", ["init", "--quiet"], { cwd: root() });
});

function measure(files: Readonly<Record<string, string>>): { code: number | null; lines: string[] } {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(root(path)), { recursive: true });
    writeFileSync(root(path), text);
  }
  execFileSync("git", ["add", "--all"], { cwd: root() });
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, root()], { encoding: "utf8" });
  return { code: status, lines: stdout.trim().split("\n") };
}

test("measure counts product, scripts, bench, tests and generated lines separately, and the words of docs", () => {
  const { code, lines } = measure({
    "core/shop/a.ts": "1\n2\n",
    "clients/python/src/atelier_client/client.py": "1\n",
    "clients/python/src/atelier_client/models.py": "1\n2\n3\n",
    "proto/types/a.ts": "1\n2\n3\n4\n",
    "core/README.md": "1\n2\n3\n4\n5\n",
    "README.md": "one two\nthree",
    "docs/guide/a.md": "four | five\n",
    "scripts/a.ts": "1\n2\n3\n4\n5\n6\n",
    "bench/a.ts": "1\n2\n3\n4\n5\n6\n7\n",
    "test/a.test.ts": "1\n2\n3\n4\n5\n6\n7\n8\n",
  });
  expect(code).toBe(0);
  expect(lines).toEqual([
    "product lines: 3 of 92,000",
    "modules of core: 2 of 8",
    "lines of scripts: 6 of 5,000",
    "lines of bench: 7 of 2,500",
    "lines of tests: 8 of 74,000",
    "generated lines in git: 7 of 1,500",
    "tracked files: 10 of 1,900",
    "words of docs: 6 of 70,000",
    "names that two exported types of core share: 0 of 0",
  ]);
});

test("measure fails when two exported types of core share a name, and names it", () => {
  const { code, lines } = measure({
    "core/shop/a.ts": "export type Order = string;\nexport interface Alone {}\n",
    "core/studio/b.ts": "export type Order = number;\ntype Alone = string;\n",
  });
  expect(lines.at(-1)).toBe("names that two exported types of core share: 1 of 0, over by 1 (FAILED): Order");
  expect(code).toBe(1);
});

test("measure fails above eight modules of core", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
  const { code, lines } = measure(Object.fromEntries(names.map((name) => [`core/${name}/x.ts`, "1\n"])));
  expect(code).toBe(1);
  expect(lines).toContain("modules of core: 9 of 8, over by 1 (FAILED): a, b, c, d, e, f, g, h, i");
});

// Processor time as V8's profiler reports it.
const frame = (functionName: string, url = "") => ({ functionName, url, lineNumber: 6 });

test("hottest › names functions with at least 3% of the time, without idling ones", () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame("(root)") },
      { id: 2, callFrame: frame("(idle)") },
      { id: 3, callFrame: frame("accept", "file:///core/jobs/accept.ts") },
      { id: 4, callFrame: frame("", "node:crypto") },
      // The same function, called from another place.
      { id: 5, callFrame: frame("", "node:crypto") },
      { id: 6, callFrame: frame("rare") },
    ],
    samples: [2, 3, 4, 5, 6],
    timeDeltas: [9_000_000, 280_000, 400_000, 300_000, 20_000],
  };
  expect(hottest(JSON.stringify(profile))).toEqual({
    seconds: 1,
    functions: [
      { name: "(anonymous) node:crypto:7", share: 0.7 },
      { name: "accept jobs/accept.ts:7", share: 0.28 },
    ],
  });
});

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
