// `npm run model`: simulates the model of the money protocol (test/model/money.qnt) with Quint, replays its traces on the core, and compares
// the audit's table of paths with them. `--traces N` of `--steps N` are simulated, `--replays N` replayed; `--seed` draws the same again.
// `--keep` keeps 50 traces for `npm test`. `--planted` plants ten bugs in the model and ten in a copy of the code, and prints what finds
// each. `--backend rust` is several times as fast, but Quint downloads that backend.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { KEPT, rarest, readItf, type Trace, writeTraces } from "../test/model/trace.ts";
import { CODE_BUGS, MODEL_BUGS, plantedIn } from "./model/planted.ts";
import { replay, withCopy } from "./model/replay.ts";

/** Its packages stay out of the project's: seventy, which only this command needs. */
const QUINT = { name: "@informalsystems/quint", version: "0.33.0", overrides: { antlr4ts: "0.5.0-alpha.4" } };
const ROOT = join(import.meta.dirname, "..");
const CACHE = join(ROOT, ".cache", "model");
const MODEL = join(ROOT, "test", "model", "money.qnt");
const KEPT_TRACES = 50;
/** What a planted bug in the code is looked for in. */
const PLANTED_TRACES = 100;
/** Enough to accept, claim, lose, rescue and end a job. A longer trace is slower on the core, and shows little more. */
const REPLAYED_STEPS = 14;
const INVARIANTS = [
  "neverOverdrawn",
  "recounted",
  "entriesFitState",
  "eventsTellEntries",
  "paidBeforeCalled",
  "endedByItsLastRun",
  "neverStartedLate",
  "stepsInOrder",
];
const WITNESSES = ["rescued", "lostLease", "repeated", "partly", "returned", "flowEnded", "overdueEnded"];

mkdirSync(CACHE, { recursive: true });
const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    traces: { type: "string", default: "10000" },
    steps: { type: "string", default: "12" },
    replays: { type: "string", default: "2000" },
    backend: { type: "string", default: "typescript" },
    keep: { type: "boolean", default: false },
    planted: { type: "boolean", default: false },
    seed: { type: "string", default: `0x${randomBytes(6).toString("hex")}` },
  },
});

/** Runs the simulator. Its output, whether it finds a violation or not. */
async function quint(...args: string[]): Promise<string> {
  const bin = join(CACHE, "node_modules", ".bin", "quint");
  if (!existsSync(bin)) {
    const { name, version, overrides } = QUINT;
    const wanted = { private: true, dependencies: { [name]: version }, overrides };
    writeFileSync(join(CACHE, "package.json"), JSON.stringify(wanted));
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: CACHE });
  }
  const options = ["--backend", values.backend, "--verbosity", "2", ...args];
  const { stdout, stderr } = await run(bin, ["run", ...options], { maxBuffer: 2 ** 28 }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  if (!/\[(ok|violation)\]/.test(stdout)) throw new Error(`Quint has failed: ${stdout}${stderr}`);
  return stdout;
}

/** Simulates a model. The number of the trace that violates an invariant, and which; undefined if none does. */
async function simulate(file: string, say = false): Promise<{ trace: number; what: string } | undefined> {
  const args = ["--max-samples", values.traces, "--max-steps", values.steps, "--invariants", ...INVARIANTS];
  const out = await quint(file, ...args, "--witnesses", ...WITNESSES, "--seed", values.seed);
  const [, ms = "0", perSecond = "0"] = /\((\d+)ms at (\d+) traces\/second\)/.exec(out) ?? [];
  const seconds = Math.round(Number(ms) / 1000);
  if (out.includes("[ok]")) {
    if (!say) return undefined;
    console.log(
      `simulated: ${values.traces} traces of ${values.steps} steps in ${seconds} s with seed ${values.seed}, no violation found`,
    );
    for (const [line] of out.matchAll(/^\w+ was witnessed.*$/gm)) console.log(`  ${line}`);
    return undefined;
  }
  return {
    // Quint prints no number.
    trace: Math.max(1, Math.round((Number(ms) * Number(perSecond)) / 1000)),
    what: /[❌✗x] (\w+)/.exec(out)?.[1] ?? "an invariant",
  };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(CACHE, "traces-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Traces of the model that Quint draws. */
async function draw(count: number): Promise<Trace[]> {
  return inFolder(async (folder) => {
    const n = String(count);
    const steps = String(REPLAYED_STEPS);
    const out = join(folder, "{seq}.itf.json");
    const size = ["--max-samples", n, "--n-traces", n, "--max-steps", steps];
    await quint(MODEL, ...size, "--out-itf", out, "--seed", values.seed);
    return Array.from({ length: count }, (_, i) =>
      readItf(readFileSync(join(folder, `${i}.itf.json`), "utf8")),
    );
  });
}

/** Replays traces with the code in `root`. */
async function replayIn(root: string, traces: readonly Trace[]): ReturnType<typeof replay> {
  return inFolder((folder) => {
    const file = join(folder, "traces.jsonl.gz");
    writeTraces(file, traces);
    return replay(root, file);
  });
}

/** Prints what finds each planted bug. True if something finds each. */
async function findPlanted(): Promise<boolean> {
  const unfound: string[] = [];
  const tell = (where: string, name: string, found: readonly (string | undefined)[]) => {
    console.log(`| ${[where, name, ...found.map((after) => after ?? "no")].join(" | ")} |`);
    if (found.every((after) => after === undefined)) unfound.push(name);
  };
  console.log("| In | Bug | Found after traces |\n| --- | --- | --- |");
  for (const bug of MODEL_BUGS) {
    const file = join(CACHE, "planted.qnt");
    writeFileSync(file, plantedIn(readFileSync(MODEL, "utf8"), bug));
    const found = await simulate(file);
    tell("model", bug.name, [found && `about ${found.trace}, by ${found.what}`]);
  }
  console.log(
    "\n| In | Bug | Replay: after traces | audit --model: after traces |\n| --- | --- | --- | --- |",
  );
  const traces = await draw(PLANTED_TRACES);
  for (const { name, patches } of CODE_BUGS) {
    const { found } = await withCopy(ROOT, patches, (root) => replayIn(root, traces));
    tell("code", name, [
      found.replay && String(found.replay.trace),
      found.audit && String(found.audit.trace),
    ]);
  }
  return unfound.length === 0;
}

async function checkAll(): Promise<boolean> {
  const violation = await simulate(MODEL, true);
  if (violation) {
    console.log(`trace ${violation.trace} violates ${violation.what}`);
    return false;
  }
  const traces = await draw(Number(values.replays));
  if (values.keep) {
    writeTraces(KEPT, rarest(traces, KEPT_TRACES));
    return true;
  }
  const startedAt = performance.now();
  const { found, isTable } = await replayIn(ROOT, traces);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`replayed: ${traces.length} traces of ${REPLAYED_STEPS} steps in ${seconds} s`);
  for (const { trace, what } of Object.values(found)) console.log(`WRONG: trace ${trace}: ${what}`);
  if (!isTable) console.log("WRONG: the audit's table of paths is not that of the traces");
  return isTable && Object.keys(found).length === 0;
}

process.exitCode = (await (values.planted ? findPlanted() : checkAll())) ? 0 : 1;
