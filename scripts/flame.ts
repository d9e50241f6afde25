// npm run flame -- NAME [ARGUMENTS…]: takes a measurement (bench/) under profilers, and draws where the processor time of its processes went:
// V8's own for each node process and, where Linux' perf is installed and may be used, perf for each mongod. Prints what has more than 3 %.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { drawFlames } from "./flame/draw.ts";
import { hottest, readCpuProfile, readPerf, type Stacks } from "./flame/stacks.ts";

const SHARE = 0.03;
/** Less is a process that only started. */
const LEAST_SECONDS = 1;
const PER_SECOND = 250;
const MICROS = 1e6;

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  console.error("npm run flame -- NAME [ARGUMENTS…]: the name of a measurement, as npm run bench lists them");
  process.exit(2);
}
mkdirSync("artifacts", { recursive: true });
const folder = mkdtempSync(join("artifacts", `flame-${name}-`));
const perfData = join(folder, "perf.data");

const bench = [process.execPath, "bench/run.ts", name, ...args];
const record = [
  "perf",
  "record",
  "--all-cpus",
  "--call-graph",
  "fp",
  "-F",
  String(PER_SECOND),
  "-o",
  perfData,
  "--",
];
const hasPerf = spawnSync("perf", ["record", "--all-cpus", "-o", perfData, "--", "true"]).status === 0;
if (!hasPerf) console.log("mongod is left out: perf is not installed or may not be used here\n");
const [command = "", ...rest] = hasPerf ? [...record, ...bench] : bench;
const child = spawn(command, rest, {
  // oxlint-disable-next-line node/no-process-env -- handed on, with the profiler
  env: { ...process.env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(process.cwd(), folder)}` },
  stdio: ["ignore", "inherit", "inherit"],
});
const [code] = (await once(child, "exit")) as [number | null];

const profiles = readdirSync(folder).filter((file) => file.endsWith(".cpuprofile"));
for (const file of profiles)
  show(file.replace(".cpuprofile", ""), readCpuProfile(readFileSync(join(folder, file), "utf8")), MICROS);
if (hasPerf) {
  const { stdout } = spawn("perf", ["script", "-F", "comm,pid,ip,sym", "-i", perfData], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  for (const [pid, { names, stacks }] of await readPerf(createInterface(stdout)))
    if (names.has("mongod")) show(`mongod-${pid}`, stacks, PER_SECOND);
}
process.exitCode = code ?? 1;

/** Draws the stacks of one process, whose weights are so many for each second. */
function show(title: string, stacks: Stacks, perSecond: number): void {
  const seconds = [...stacks.values()].reduce((sum, weight) => sum + weight, 0) / perSecond;
  if (seconds < LEAST_SECONDS) return;
  const file = join(folder, `${title}.svg`);
  writeFileSync(file, drawFlames(title, stacks));
  console.log(`\n${file}: ${seconds.toFixed(1)} s of processor time`);
  for (const one of hottest(stacks, SHARE))
    console.log(`${(one.share * 100).toFixed(1).padStart(6)} %  ${one.name}`);
}
