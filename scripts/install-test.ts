// npm run install-test [-- --keep]: follows docs/operations/server.md on a fresh Debian with systemd, block by block, and compares the
// output with the page's. Needs root and Debian, and time for downloads. --keep leaves the machine running for inspection.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findMongod } from "../runtime/mongod/find.ts";
import { type Machine, startMachine, whatIsMissing } from "./install-test/machine.ts";
import { commandsOf, missingLine, readSteps, type Step } from "./install-test/steps.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = "docs/operations/server.md";
const END = "end of step";
/** The longest steps are downloads. */
const STEP_LIMIT_MS = 900_000;

const missing = whatIsMissing();
if (missing.length > 0) {
  console.error(
    `This needs ${missing.join(", ")}: apt-get install debootstrap systemd-container slirp4netns`,
  );
  process.exit(1);
}
const cache = join(ROOT, ".cache/install-test");
mkdirSync(cache, { recursive: true });
const root = mkdtempSync(join(cache, "root-"));
const machine = await startMachine(cache, join(root, "debian"), ["atelier.example.com"]);
try {
  await bring(machine);
  process.exitCode = await walk(machine);
} finally {
  if (process.argv.includes("--keep")) console.log(`\nIt runs on: ${root}. Ctrl-C ends it.`);
  else {
    await machine.stop();
    rmSync(root, { recursive: true });
  }
}

/** Replacements for steps that do not work everywhere. */
async function bring({ root: inside }: Machine): Promise<void> {
  const folder = join(inside, "install-test");
  mkdirSync(folder);
  execFileSync("git", ["archive", "--output", join(folder, "project.tar"), "HEAD"], { cwd: ROOT });
  const mongod = await findMongod({ path: undefined, say: console.log });
  await cp(dirname(mongod), join(folder, "mongod"), { recursive: true, verbatimSymlinks: true });
}

/** Runs all steps in one shell, as a person would. Returns the exit code. */
async function walk({ root: inside, enter }: Machine): Promise<number> {
  const shell = enter("bash", "-o", "errexit", "-o", "pipefail");
  const { stdin, stdout } = shell;
  if (!stdin || !stdout) throw new Error("the shell has no pipes");
  stdin.write("exec 2>&1\ncd\n");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const begin = Date.now();
  for (const [number, step] of readSteps(readFileSync(join(ROOT, PAGE), "utf8")).entries()) {
    console.log(`\n# ${PAGE}:${step.line}${step.standIn ? `, by ${step.standIn}` : ""}`);
    console.log(step.commands.replaceAll(/^/gm, "$ "));
    writeFileSync(join(inside, `install-test/step-${number}.sh`), commandsOf(step, ROOT));
    stdin.write(`source /install-test/step-${number}.sh </dev/null\necho '${END}'\n`);
    const fault = await follow(step, lines);
    if (fault !== undefined) {
      console.error(`\n${PAGE}:${step.line}: ${fault}`);
      return 1;
    }
  }
  stdin.end();
  console.log(`\nEvery step of ${PAGE} did what it says, in ${Math.round((Date.now() - begin) / 1000)} s.`);
  return 0;
}

/** Prints a step's output. Returns the difference from the page. */
async function follow(step: Step, lines: AsyncIterator<string>): Promise<string | undefined> {
  const printed: string[] = [];
  const begin = Date.now();
  for (;;) {
    const left = STEP_LIMIT_MS - (Date.now() - begin);
    const next = await Promise.race([lines.next(), delay(left, undefined, { ref: false })]);
    if (!next) return "it does not end";
    const { value, done } = next;
    if (done) return "a command failed";
    if (value === END) break;
    console.log(value);
    printed.push(value);
  }
  const lacking = step.standIn === undefined ? missingLine(printed.join("\n"), step.prints) : undefined;
  return lacking === undefined ? undefined : `it should have printed "${lacking}"`;
}
