// npm run flame -- NAME [ARGUMENTS…]: runs a measurement (bench/) under profilers and prints the functions with more than 3% of the
// processor time: V8's profiler for each node process and, where Linux perf is usable, perf for mongod. The profiles are in artifacts/, for
// Chrome's developer tools and speedscope.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SHARE = 0.03;
/** Shorter profiles are of processes that only started. */
const LEAST_SECONDS = 1;
const IDLE = new Set(["(idle)", "(root)"]);

/** https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile; times in microseconds. */
type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
};

/** Seconds of processor time of a .cpuprofile, and the functions with most of it, without their callees. */
export function hottest(json: string): { seconds: number; functions: { name: string; share: number }[] } {
  const { nodes, samples, timeDeltas } = JSON.parse(json) as CpuProfile;
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const own = new Map<string, number>();
  let total = 0;
  for (const [i, id] of samples.entries()) {
    const name = names.get(id) ?? "";
    if (IDLE.has(name)) continue;
    own.set(name, (own.get(name) ?? 0) + (timeDeltas[i] ?? 0));
    total += timeDeltas[i] ?? 0;
  }
  const functions = [...own]
    .map(([name, micros]) => ({ name, share: micros / total }))
    .filter(({ share }) => share >= SHARE)
    .sort((a, b) => b.share - a.share);
  return { seconds: total / 1e6, functions };
}

function nameOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const file = url.split("/").slice(-2).join("/");
  return `${functionName || "(anonymous)"}${file ? ` ${file}:${lineNumber + 1}` : ""}`;
}

if (import.meta.main) {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined) {
    console.error(
      "npm run flame -- NAME [ARGUMENTS…]: the name of a measurement, as npm run bench lists them",
    );
    process.exit(2);
  }
  mkdirSync("artifacts", { recursive: true });
  const folder = mkdtempSync(join("artifacts", `flame-${name}-`));
  const data = join(folder, "perf.data");
  const record = ["record", "--all-cpus", "--call-graph", "fp", "-F", "250", "-o", data, "--"];
  const hasPerf = spawnSync("perf", [...record, "true"]).status === 0;
  if (!hasPerf) console.log("mongod is left out: perf is not installed or may not be used here\n");
  const bench = [process.execPath, "bench/run.ts", name, ...args];
  const [command = "", ...rest] = hasPerf ? ["perf", ...record, ...bench] : bench;
  const child = spawn(command, rest, {
    // oxlint-disable-next-line node/no-process-env -- passed on, with the profiler
    env: { ...process.env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(process.cwd(), folder)}` },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  for (const file of readdirSync(folder).filter((one) => one.endsWith(".cpuprofile"))) {
    const { seconds, functions } = hottest(readFileSync(join(folder, file), "utf8"));
    if (seconds < LEAST_SECONDS) continue;
    console.log(`\n${join(folder, file)}: ${seconds.toFixed(1)} s of processor time`);
    for (const one of functions) console.log(`${(one.share * 100).toFixed(1).padStart(6)}%  ${one.name}`);
  }
  if (hasPerf) {
    const only = ["--no-children", "-g", "none", "--sort", "symbol", "--dsos", "mongod"];
    const least = ["--percentage", "relative", "--percent-limit", String(SHARE * 100), "-w", "9,110"];
    spawnSync("perf", ["report", "-i", data, "--stdio", ...only, ...least], {
      stdio: ["ignore", "inherit", "ignore"],
    });
  }
  process.exitCode = code ?? 1;
}
