// npm run soak [-- MINUTES [cluster]]: a steady mixed load (programs over REST, assistants over MCP, browsers) for an hour, on the whole
// service in one process, as `npm start` runs it, or on a cluster. Prints a line a minute with the memory in use, and audits at the end.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenedApp } from "../core/entry/start.ts";
import { auditFindings } from "../test/support/audit.ts";
import { openCluster } from "./testbed/cluster.ts";
import { type AtEnd, machineInWords, runCommand } from "./testbed/command.ts";
import { createCustomers } from "./testbed/customers.ts";
import { type Load, startLoad } from "./testbed/load.ts";
import { processesWith, useOf } from "./testbed/processes.ts";
import { acceptTimes } from "./testbed/rates.ts";
import { loadCode } from "./testbed/release.ts";
import { startOwn } from "./testbed/service.ts";
import { TRIAL_SETTINGS } from "./testbed/trial.ts";
import { seedCluster, withApp as withClusterApp, withData } from "./testbed/with-app.ts";

type Place = {
  readonly url: string;
  /** Resident memory of each part, MiB. Linux only. */
  held(): Readonly<Record<string, number>>;
  /** With core's own code on its database, for steps without a URL. */
  withApp<T>(work: (app: OpenedApp["app"]) => Promise<T>): Promise<T>;
};

/** Of a cluster, the serving and storing processes; of several processes of a role, the largest. */
const PARTS = ["core", "worker", "gateway", "mcp", "mongo"];
const CUSTOMERS = 4;
const DEFAULT_MINUTES = 60;
const MOST_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
/** Idle memory is read this long after the start, when the start's memory has been freed. */
const REST_MS = 20_000;
const COLUMN = 9;

const [given, where] = process.argv.slice(2);
const minutes = Number(given ?? DEFAULT_MINUTES);
if (
  !Number.isFinite(minutes) ||
  minutes <= 0 ||
  minutes > MOST_MINUTES ||
  ![undefined, "cluster"].includes(where)
) {
  console.error(`npm run soak -- MINUTES [cluster]: a number from above 0 to ${MOST_MINUTES}`);
  process.exit(2);
}
await runCommand("soak", async (atEnd) =>
  (await soak(await (where === "cluster" ? openWholeCluster(atEnd) : openWholeService(atEnd)))) ? 0 : 1,
);

async function openWholeService(atEnd: AtEnd): Promise<Place> {
  // All clients come from one address.
  const settings = { ATELIER_RATE_LIMITS: "off", ATELIER_LOG_LEVEL: "warn" };
  const { access, dataDir, pid } = await startOwn(atEnd, settings);
  return {
    url: access.base_url,
    // mongod has the database's folder in its command line, as has its guard.
    held: () => ({
      service: heldMib([pid]),
      mongod: processesWith(dataDir).reduce((sum, one) => sum + heldMib([one]), 0),
    }),
    withApp: async (work) => {
      const MONGODB_URI = readFileSync(join(dataDir, "mongo.uri"), "utf8").trim();
      const code = await loadCode();
      const config = code.loadConfig({ MONGODB_URI, ATELIER_DATA_DIR: dataDir });
      return withData(config, ({ app }) => work(app), code);
    },
  };
}

async function openWholeCluster(atEnd: AtEnd): Promise<Place> {
  const cluster = await openCluster(atEnd, { settings: TRIAL_SETTINGS });
  await seedCluster(cluster);
  const pidsOf = (part: string) => cluster.of(part).map(({ process: { pid } }) => pid);
  return {
    url: cluster.url,
    held: () => Object.fromEntries(PARTS.map((part) => [part, heldMib(pidsOf(part))])),
    withApp: (work) => withClusterApp(cluster, ({ app }) => work(app)),
  };
}

/** Of the largest of these processes. */
function heldMib(pids: readonly number[]): number {
  return Math.round(Math.max(...pids.map((pid) => useOf(pid).megabytes)));
}

async function soak({ url, held, withApp }: Place): Promise<boolean> {
  await sleep(REST_MS);
  const parts = Object.keys(held());
  console.log(`${machineInWords()}; MiB held`);
  printLine(["minute", "calls", "failed", "jobs", ...parts]);
  printLine([0, 0, 0, 0, ...Object.values(held())]);
  const customers = await withApp((app) => createCustomers(app, url, CUSTOMERS));
  const load = startLoad({ url, customers, pace: "mixed" });
  const lines = await watch(load, held);
  await load.stop();
  const lastHalf = lines.slice(Math.floor(lines.length / 2));
  for (const part of parts) {
    const values = lastHalf.map((line) => line[part] ?? 0);
    console.log(`${part} in the last half: ${Math.min(...values)} to ${Math.max(...values)} MiB`);
  }
  for (const { what, failure } of failed(load).slice(0, 10)) console.log(`failed: ${what}: ${failure}`);
  return withApp(isClean);
}

/** Memory at the end of each minute. */
async function watch(load: Load, held: Place["held"]): Promise<ReturnType<Place["held"]>[]> {
  const lines: ReturnType<Place["held"]>[] = [];
  for (let minute = 1; minute <= Math.ceil(minutes); minute++) {
    await sleep(Math.min(1, minutes - minute + 1) * MINUTE_MS);
    const now = held();
    lines.push(now);
    const accepted = acceptTimes(load.calls);
    printLine([minute, load.calls.length, failed(load).length, accepted.length, ...Object.values(now)]);
  }
  return lines;
}

function failed({ calls }: Load): Load["calls"] {
  return calls.filter(({ failure }) => failure !== undefined);
}

function printLine(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(COLUMN)).join(""));
}

async function isClean(app: OpenedApp["app"]): Promise<boolean> {
  const wrong = await auditFindings(app);
  for (const what of wrong) console.log(`WRONG: ${what}`);
  console.log(`audited: ${wrong.length} findings`);
  return wrong.length === 0;
}
