// `npm run check`: all static checks. Steps run in parallel, one line each.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");

/** Tests that compare the lists and figures of pages with their sources. */
const LISTS = ["readme", "docs"].map((name) => `test/rules/${name}.test.ts`);

/** Longest first, which shortens the whole run. Each is a script for the project's Node. */
const STEPS: readonly { name: string; args: readonly string[]; isShown?: boolean }[] = [
  { name: "lint", args: [join(BIN, "oxlint")] },
  { name: "types", args: [join(BIN, "tsc"), "-p", "."] },
  { name: "types of browser code", args: [join(BIN, "tsc"), "-p", "gateway/site/browser"] },
  { name: "boundaries", args: ["scripts/boundaries.ts"] },
  { name: "transactions", args: ["scripts/transactions.ts"] },
  { name: "dead code", args: [join(BIN, "knip"), "--no-progress"] },
  { name: "generated files", args: ["scripts/gen.ts", "--check"] },
  { name: "format", args: [join(BIN, "oxfmt"), "--list-different"] },
  { name: "bill of materials", args: ["scripts/check-sbom.ts"] },
  { name: "doc links", args: ["scripts/check-docs.ts"] },
  { name: "words", args: ["scripts/words.ts"] },
  { name: "lists and figures in docs", args: [join(BIN, "vitest"), "run", "--reporter=default", ...LISTS] },
  { name: "size", args: ["scripts/measure.ts"], isShown: true },
];

/** Runs one step. Its output is printed when it fails, or when it has figures. */
async function passes({ name, args, isShown = false }: (typeof STEPS)[number]): Promise<boolean> {
  const startedAt = performance.now();
  const step = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  step.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  step.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const passed = await new Promise<boolean>((resolve) => {
    step.on("error", (error) => {
      output.push(Buffer.from(error.message));
      resolve(false);
    });
    step.on("close", (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${passed ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (!passed || isShown)
    console.log(Buffer.concat(output).toString("utf8").trimEnd().replace(/^/gm, "       "));
  return passed;
}

const results = await Promise.all(STEPS.map(passes));
const failed = results.filter((passed) => !passed).length;
console.log(`check: ${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
