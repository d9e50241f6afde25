// The installation page for one server, which npm run install-test follows: its blocks are commands with their output.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commandsOf, missingLine, readSteps } from "../../scripts/install-test/steps.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("blocks of sh are steps, the text block after one is its output, and a script may be in it", () => {
  const fence = "```";
  const page = `
${fence}sh
first
and second
${fence}

${fence}text
one …
${fence}

${fence}text
not of a step
${fence}

${fence}bash
only told
${fence}

<!-- stands in: scripts/install-test/project.sh -->

${fence}sh
third
${fence}
`;
  expect(readSteps(page)).toEqual([
    { line: 3, commands: "first\nand second", prints: ["one …"] },
    { line: 22, commands: "third", prints: [], standIn: "scripts/install-test/project.sh" },
  ]);
});

test("output lines are matched in order, and three dots match anything", () => {
  const output = "a (1)\nb 2\nb 3\n";
  expect(missingLine(output, ["a (1)", "b …"])).toBeUndefined();
  expect(missingLine(output, ["b …", "b 3"])).toBeUndefined();
  expect(missingLine(output, ["b 3", "a (1)"])).toBe("a (1)");
  expect(missingLine(output, ["b"])).toBe("b");
});

test("every step of the page is valid shell", () => {
  const steps = readSteps(readFileSync(`${ROOT}docs/operations/server.md`, "utf8"));
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.flatMap(({ standIn }) => standIn ?? [])).toHaveLength(2);
  for (const step of steps)
    for (const input of [step.commands, commandsOf(step, ROOT)]) {
      const { status, stderr } = spawnSync("bash", ["-n"], { input, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(status).toBe(0);
    }
});
