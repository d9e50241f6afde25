// npm run soak [-- MINUTES]: the whole service in one process, as `npm start` runs it, under a steady mixed load (programs over REST,
// assistants over MCP, people's browsers) for an hour. Prints a line a minute with the memory that its processes hold, and audits it in the end.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AuditApp, auditAccounts } from "../core/audit/audit-accounts.ts";
import { openApp } from "../core/start.ts";
import { loadConfig } from "../runtime/config.ts";
import { createLog } from "../runtime/log.ts";
import { createMetrics } from "../runtime/ops/metrics.ts";
import { freePort } from "../runtime/process/free-port.ts";
import { processesWith, startService } from "../test/support/service.ts";
import { startClients } from "./cluster/clients.ts";
import { createCustomers } from "./cluster/customers.ts";

const CUSTOMERS = 4;
const DEFAULT_MINUTES = 60;
const MOST_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
/** What is held at rest is read so long after the start, when what a start takes is given back. */
const REST_MS = 20_000;
/** All clients come from one address. */
const QUIET_LIMITS = { ATELIER_RATE_LIMITS: "off" };

/** Of the columns of the table. */
const WIDTHS = [6, 8, 8, 6, 13, 12];

type Held = { readonly service: number; readonly mongod: number };

const minutes = Number(process.argv[2] ?? DEFAULT_MINUTES);
if (!Number.isFinite(minutes) || minutes <= 0 || minutes > MOST_MINUTES) {
  console.error(`npm run soak -- MINUTES: a number from above 0 to ${MOST_MINUTES}`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "atelier-soak-"));
const httpPort = await freePort();
const service = await startService({
  ...QUIET_LIMITS,
  ATELIER_DATA_DIR: folder,
  ATELIER_HTTP_PORT: String(httpPort),
  ATELIER_LOG_LEVEL: "warn",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void end().finally(() => process.exit(1)));
let isGood = false;
try {
  isGood = await soak();
} finally {
  await end();
}
process.exit(isGood ? 0 : 1);

async function end(): Promise<void> {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function soak(): Promise<boolean> {
  const opened = await openApp({
    config: loadConfig({ ATELIER_DATA_DIR: folder, ATELIER_LOG_LEVEL: "error" }),
    log: createLog("error", "soak"),
    metrics: createMetrics(),
    mongodbUri: readFileSync(join(folder, "mongo.uri"), "utf8").trim(),
  });
  try {
    const url = `http://127.0.0.1:${httpPort}`;
    await sleep(REST_MS);
    const atRest = held();
    console.log(`${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`);
    console.log(`at rest: ${inWords(atRest)}\n`);
    console.log("minute   calls  failed  jobs  service MiB  mongod MiB");
    const load = startClients(url, await createCustomers(opened.app, url, CUSTOMERS));
    const lines: Held[] = [];
    for (let minute = 1; minute <= Math.ceil(minutes); minute++) {
      await sleep(Math.min(1, minutes - minute + 1) * MINUTE_MS);
      const now = held();
      lines.push(now);
      const failed = load.calls.filter(({ failure }) => failure !== undefined).length;
      const cells = [load.calls.length, failed, load.accepted.length, now.service, now.mongod];
      console.log([minute, ...cells].map((cell, i) => String(cell).padStart(WIDTHS[i] ?? 0)).join(""));
    }
    await load.stop();
    const lastHalf = lines.slice(Math.floor(lines.length / 2)).map(({ service }) => service);
    console.log(`\nlast half: ${Math.min(...lastHalf)} to ${Math.max(...lastHalf)} MiB`);
    for (const { what, failure } of load.calls.filter((call) => call.failure !== undefined).slice(0, 10))
      console.log(`failed: ${what}: ${failure}`);
    return await isClean(opened.app);
  } finally {
    await opened.close();
  }
}

/** Memory that is resident now. Linux only. The database has its folder in its command line, as has what ends it with the service. */
function held(): Held {
  return {
    service: residentMib(service.child.pid),
    mongod: processesWith(folder).reduce((sum, pid) => sum + residentMib(pid), 0),
  };
}

function residentMib(pid: number | undefined): number {
  const [, kib = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 1024);
}

function inWords({ service: own, mongod }: Held): string {
  return `service ${own} MiB, mongod ${mongod} MiB`;
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
