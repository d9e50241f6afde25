// npm run bench -- retention [JOBS]: so many jobs (20,000, or up to 1,000,000) of 100 accounts that ended more than 400 days ago, each with
// two entries of the ledger, a delivery and an Idempotency-Key, are archived while others are accepted: the working set before
// and after, how long it takes, what it costs accepting, and what the audit says.
import { setTimeout as sleep } from "node:timers/promises";
import { auditAccounts } from "../core/operations/audit/audit-accounts.ts";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { archiveOld } from "../core/operations/retention/archive-old.ts";
import { createNewId } from "../runtime/clock.ts";
import { whileAccepting } from "./support/accepting.ts";
import { insertFinishedJobs } from "./support/history.ts";
import { timed } from "./support/stats.ts";
import { createCustomers, onBenchApp } from "./support/world.ts";

const DEFAULT_JOBS = 20_000;
const MOST_JOBS = 1_000_000;
const CALLERS = 16;
const QUIET_MS = 15_000;
/** Callers who never rest leave little of the machine; after this the archiving goes on alone. */
const BUSY_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const LIVE = ["jobs", "ledger", "deliveries", "idempotency_keys"];
const ARCHIVE = ["archive_segments", "outputs.files", "outputs.chunks"];

export async function run(): Promise<void> {
  const count = Number(process.argv[3] ?? DEFAULT_JOBS);
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_JOBS)
    throw new Error(`jobs: a number from 1 to ${MOST_JOBS}`);
  await onBenchApp("retention", (app) => measure(app, count));
}

async function measure(app: JobsApp, count: number): Promise<void> {
  await timed(`${count} old jobs inserted`, () =>
    insertFinishedJobs(longAgo(app, count), count, { announced: true }),
  );
  const callers = await createCustomers(app, CALLERS);
  await showWorkingSet(app, "before");

  const quiet = await whileAccepting(app, callers, () => sleep(QUIET_MS));
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, process.memoryUsage().rss / 2 ** 20)), 100);
  let segments = 0;
  const archiving = timed("archived", async () => {
    segments = await archiveOld(app);
  });
  const busy = await whileAccepting(app, callers, () => Promise.race([archiving, sleep(BUSY_MS)]));
  await archiving;
  clearInterval(watch);
  console.log(`${segments} segments; memory ${Math.round(peakMb)} MiB at most`);
  console.log(
    `jobs accepted meanwhile (its first minute): ${busy.toFixed(0)} a second, ${quiet.toFixed(0)} without\n`,
  );
  await showWorkingSet(app, "after");

  await timed("audit", async () => {
    for await (const { accounts, entries, jobs, findings, done } of auditAccounts(app))
      if (done || findings.length > 0)
        console.log({ accounts, entries, jobs, findings: findings.slice(0, 5) });
  });
}

/** The same app, 500 to 401 days ago. */
function longAgo(app: JobsApp, jobs: number): JobsApp {
  const beganMs = app.clock.now().getTime() - 500 * DAY_MS;
  // The time is asked for several times for each job.
  const stepMs = (90 * DAY_MS) / (jobs * 4);
  let asked = 0;
  const clock = { now: () => new Date(beganMs + Math.min(asked++ * stepMs, 99 * DAY_MS)) };
  return { ...app, clock, newId: createNewId(clock) };
}

type Stats = {
  count: number;
  size: number;
  indexDetails: Record<
    string,
    { "block-manager": { "file size in bytes": number; "file bytes available for reuse": number } }
  >;
};

/** Documents as they are in memory, and what of the files of indexes is in use: what is free again, MongoDB keeps for itself. */
async function showWorkingSet({ mongo: { db } }: JobsApp, when: string): Promise<void> {
  for (const [what, names] of [
    ["live", LIVE],
    ["archive", ARCHIVE],
  ] as const) {
    let [data, index, rows] = [0, 0, 0];
    for (const name of names) {
      const [stats] = await db
        .collection(name)
        .aggregate<{ storageStats: Stats }>([{ $collStats: { storageStats: {} } }])
        .toArray();
      if (!stats) continue;
      const { count, size, indexDetails } = stats.storageStats;
      const used = Object.values(indexDetails).reduce(
        (sum, { "block-manager": file }) =>
          sum + file["file size in bytes"] - file["file bytes available for reuse"],
        0,
      );
      console.log(`${when}: ${name}: ${count} documents, ${mib(size)} MiB, indexes ${mib(used)} MiB`);
      [data, index, rows] = [data + size, index + used, rows + count];
    }
    console.log(`${when}: ${what}: ${rows} documents, ${mib(data)} MiB, indexes ${mib(index)} MiB`);
  }
  const { wiredTiger } = (await db.command({ serverStatus: 1 })) as {
    wiredTiger: { cache: Record<string, number> };
  };
  console.log(
    `${when}: in the database's cache ${mib(wiredTiger.cache["bytes currently in the cache"] ?? 0)} MiB\n`,
  );
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
