// npm run soak [-- MINUTES [cluster]]: a steady mixed load (programs over REST, assistants over MCP, people's browsers) for an hour, on the
// whole service in one process, as `npm start` runs it, or on a cluster. Prints a line a minute with the memory held, and audits it in the end.
import { cpus, totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type AuditApp, auditAccounts } from "../core/operations/audit/audit-accounts.ts";
import { type Load, startClients } from "./testbed/clients.ts";
import { createCustomers } from "./testbed/customers.ts";
import { openCluster, openWholeService, type Place } from "./testbed/places.ts";

const CUSTOMERS = 4;
const DEFAULT_MINUTES = 60;
const MOST_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
/** What is held at rest is read so long after the start, when what a start takes is given back. */
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
const place = await (where === "cluster" ? openCluster() : openWholeService());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void place.end().finally(() => process.exit(1)));
let isGood = false;
try {
  isGood = await soak(place);
} finally {
  await place.end();
}
process.exit(isGood ? 0 : 1);

async function soak({ url, held, withApp }: Place): Promise<boolean> {
  await sleep(REST_MS);
  const parts = Object.keys(held());
  console.log(
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; MiB held`,
  );
  printLine(["minute", "calls", "failed", "jobs", ...parts]);
  printLine([0, 0, 0, 0, ...Object.values(held())]);
  const load = startClients(url, await withApp((app) => createCustomers(app, url, CUSTOMERS)));
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

/** What was held at the end of each minute. */
async function watch(load: Load, held: Place["held"]): Promise<ReturnType<Place["held"]>[]> {
  const lines: ReturnType<Place["held"]>[] = [];
  for (let minute = 1; minute <= Math.ceil(minutes); minute++) {
    await sleep(Math.min(1, minutes - minute + 1) * MINUTE_MS);
    const now = held();
    lines.push(now);
    const { calls, accepted } = load;
    printLine([minute, calls.length, failed(load).length, accepted.length, ...Object.values(now)]);
  }
  return lines;
}

function failed({ calls }: Load): Load["calls"] {
  return calls.filter(({ failure }) => failure !== undefined);
}

function printLine(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(COLUMN)).join(""));
}

async function isClean(app: AuditApp): Promise<boolean> {
  let findings = 0;
  for await (const report of auditAccounts(app)) {
    findings += report.findings.length;
    for (const { account_id: account, what } of report.findings) console.log(`WRONG: ${account}: ${what}`);
    if (report.done)
      console.log(
        `audited: ${report.accounts} accounts, ${report.entries} entries, ${report.jobs} jobs; ${findings} findings`,
      );
  }
  return findings === 0;
}
