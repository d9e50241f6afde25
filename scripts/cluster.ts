// `npm run cluster`: the topology of deploy/compose.yaml as processes on this machine, without containers. Prints the processes and runs
// until Ctrl-C; `-- --for 60s` ends automatically, `-- --then CMD` runs a command against it and exits with its code, `-- try [WORD…]`
// tries it, `-- rotate [WORD…]` rotates its secrets, and `--without caddy,redis` ignores these programs. See docs/operations/cluster.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";
import { keepNewFilesPrivate } from "../runtime/process/private-folder.ts";
import { type Cluster, startCluster } from "./testbed/cluster.ts";
import { findPrograms } from "./testbed/programs.ts";
import { FAULTS } from "./testbed/faults.ts";
import { NOT_ROTATED, ROTATIONS } from "./testbed/rotations.ts";
import { runTrials, selected, TRIAL_SETTINGS, trust } from "./testbed/trial.ts";
import { seedCluster } from "./testbed/with-app.ts";

const DEMO = fileURLToPath(new URL("demo.ts", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    for: { type: "string" },
    // oxlint-disable-next-line unicorn/no-thenable -- the name of an option
    then: { type: "string" },
    folder: { type: "string" },
    port: { type: "string", default: "0" },
    without: { type: "string", default: "" },
  },
});
const [verb, ...words] = positionals;
if (process.platform !== "linux")
  fail("The cluster gives each process an address of its own in 127.0.0.0/8, which only Linux has.");
if (verb !== undefined && verb !== "try" && verb !== "rotate")
  fail(`npm run cluster knows "try" and "rotate", not "${verb}".`);
const forMs = values.for === undefined ? undefined : millisecondsOf(values.for);

keepNewFilesPrivate();
const own = values.folder === undefined;
mkdirSync(CACHE_DIR, { recursive: true });
const folder =
  values.folder === undefined ? mkdtempSync(join(CACHE_DIR, "cluster-")) : resolve(values.folder);
const say = (line: string) => console.error(line);
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupted.abort());

let cluster: Cluster | undefined;
let code = 0;
try {
  const programs = await findPrograms(say, values.without.split(","));
  const settings = verb !== undefined ? TRIAL_SETTINGS : {};
  cluster = await startCluster({ programs, folder, port: Number(values.port), say, settings });
  const signInUrl = await seedCluster(cluster);
  console.log(table(cluster, signInUrl));
  code = await Promise.race([stay(cluster), once(interrupted.signal, "abort").then(() => 0)]);
} catch (error) {
  console.error(`cluster: ${(error as Error).message}`);
  code = 1;
}
await cluster?.end();
if (own) rmSync(folder, { recursive: true, force: true });
process.exit(code);

/** Runs until it should end. Returns the exit code. */
async function stay(running: Cluster): Promise<number> {
  if (verb === "try") return tryFaults(running);
  if (verb === "rotate") return rotateSecrets(running);
  if (values.then !== undefined) return runCommand(running, values.then);
  if (forMs !== undefined) return sleep(forMs, 0);
  return new Promise(() => {});
}

/** Words select from the demo and the faults that need no links. */
async function tryFaults(running: Cluster): Promise<number> {
  trust(running);
  const hasDemo = words.length === 0 || words.includes("demo");
  const isGood =
    !hasDemo || (await runCommand(running, `"${process.execPath}" "${DEMO}" "${running.folder}/demo"`)) === 0;
  const faults = selected(FAULTS, words).filter(({ needs }) => needs !== "links");
  return (await runTrials(running, faults, { pace: "mixed" })) && isGood ? 0 : 1;
}

/** Words select secrets. */
async function rotateSecrets(running: Cluster): Promise<number> {
  trust(running);
  const isGood = await runTrials(running, selected(ROTATIONS, words), { pace: "mixed" });
  console.log(`\nnot rotated: ${NOT_ROTATED}`);
  return isGood ? 0 : 1;
}

/** The command's environment has the cluster's URL and certificate. */
async function runCommand({ url, folder: where, ca }: Cluster, command: string): Promise<number> {
  const child = spawn(command, {
    shell: true,
    stdio: "inherit",
    env: {
      // oxlint-disable-next-line node/no-process-env -- passed on unchanged
      ...process.env,
      ATELIER_DATA_DIR: where,
      NODE_EXTRA_CA_CERTS: ca,
      CLUSTER_URL: url,
      CLUSTER_FOLDER: where,
    },
  });
  const [ended] = (await once(child, "exit")) as [number | null];
  return ended ?? 1;
}

function table({ url, folder: where, ca, plan, members }: Cluster, signInUrl: string): string {
  const lines = members.map(
    ({ part, process: { pid } }) => `  ${part.name.padEnd(13)} ${String(pid).padStart(8)}  ${part.address}`,
  );
  return [
    `  ${"what".padEnd(13)} ${"pid".padStart(8)}  where`,
    ...lines,
    ...plan.jobs.map(({ name }) => `  ${name.padEnd(13)}           ran`),
    ...plan.done.map((name) => `  ${name.padEnd(13)}           done by the start itself`),
    ...plan.leftOut.map(({ service, why }) => `  ${service.padEnd(13)}           left out: ${why}`),
    "",
    `  website  ${url}`,
    `  sign in  ${signInUrl}`,
    `  files    ${where} (secrets, logs, demo.json)`,
    "",
    "Clients on this machine:",
    `  NODE_EXTRA_CA_CERTS=${ca} ATELIER_DATA_DIR=${where} npm run demo`,
    "",
    "Ctrl-C ends it.",
  ].join("\n");
}

function millisecondsOf(text: string): number {
  const [, count, unit = "s"] = /^(\d+)(s|m)?$/.exec(text) ?? [];
  if (count === undefined) fail("--for takes seconds or minutes, such as 60s or 5m.");
  return Number(count) * (unit === "m" ? 60_000 : 1_000);
}

function fail(line: string): never {
  console.error(line);
  process.exit(2);
}
