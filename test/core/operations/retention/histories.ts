// Account histories for tests of the archive, made by the use cases, and everything that an account can read.
import fc from "fast-check";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { grantCredits } from "../../../../core/identity/credits/grant.ts";
import { listLedger } from "../../../../core/identity/credits/read.ts";
import { toLedgerEntry } from "../../../../core/identity/credits/rules.ts";
import { auditAccounts } from "../../../../core/operations/audit/audit-accounts.ts";
import { exportAccount } from "../../../../core/operations/privacy/export-account.ts";
import { listOwnDeliveries } from "../../../../core/studio/jobs/deliveries.ts";
import { type JobQuery, listJobs } from "../../../../core/studio/jobs/list.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import type { DeliveryDoc } from "../../../../core/studio/webhooks/store.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { findBrokenEntry } from "../../../../proto/resources/credits.ts";
import { acceptMany, askFor, cancelJob } from "../../../support/accept.ts";
import { createCustomer, createTestApp, type TestApp } from "../../../support/app.ts";
import { createFakeClock, type FakeClock } from "../../../support/clock.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Small enough that a short history fills some segments. */
export const SMALL = { least: { jobs: 1, entries: 1 }, most: { jobs: 3, entries: 4 } };

export type Fixture = TestApp & { clock: FakeClock };

export async function createFixture(env: Record<string, string> = {}): Promise<Fixture> {
  const clock = createFakeClock("2026-01-01T00:00:00.000Z");
  const testApp = await createTestApp({
    clock,
    env: { ATELIER_ARCHIVE_AFTER_DAYS: "100", ATELIER_CALLBACK_ALLOW_PRIVATE: "1", ...env },
  });
  return { ...testApp, clock };
}

export const STEPS = [
  "complete",
  "fail",
  "cancel",
  "cancel after claim",
  "grant",
  "wait",
  "leave waiting",
] as const;
export type Step = { readonly what: (typeof STEPS)[number]; readonly count: number; readonly hours: number };

export const life = fc.array(
  fc.record({
    what: fc.constantFrom(...STEPS),
    count: fc.integer({ min: 1, max: 3 }),
    hours: fc.integer({ min: 0, max: 400 }),
  }),
  { minLength: 4, maxLength: 12 },
);

export type Customer = { accountId: string; caller: Caller };

/** A new account with these steps. Jobs that stay waiting are the newest. */
export async function live(world: Fixture, steps: readonly Step[]): Promise<Customer> {
  const { app, clock } = world;
  const { accountId, caller } = await createCustomer(app, { plan: "studio" });
  const ordered = [...steps].sort(
    (a, b) => Number(a.what === "leave waiting") - Number(b.what === "leave waiting"),
  );
  for (const [i, step] of ordered.entries()) {
    clock.advance(step.hours * 60 * 60 * 1000 + 1);
    await take(world, { accountId, caller }, step, i);
  }
  await endDeliveries(world);
  return { accountId, caller };
}

async function take(
  { app }: Fixture,
  { accountId, caller }: Customer,
  { what, count }: Step,
  i: number,
): Promise<void> {
  if (what === "wait") return;
  if (what === "grant") {
    await grantCredits(app, {
      accountId,
      amount: count,
      kind: "grant",
      memo: i % 2 === 0 ? `for ${i}` : null,
      source: "system",
      idempotencyKey: `grant-${i}`,
    });
    return;
  }
  const change = {
    prompt: `pier ${i} ${what}`,
    metadata: { step: String(i), "a.b": "$x" },
    ...(i % 2 === 0 && { callback_url: "http://127.0.0.1:1/callbacks" }),
  };
  const made = await acceptMany(app, count, askFor(caller, change));
  if (what === "leave waiting") return;
  if (what === "cancel") {
    for (const { _id } of made) await cancelJob(app, accountId, _id);
    return;
  }
  const claims = await claimJobs(app, { worker: "w", limit: count, leaseMs: 60_000 });
  const error = { code: "provider_failed", message: `it broke at ${i}` };
  await finalizeJobs(
    app,
    claims.map((claim) => ({
      claim,
      outcome:
        what === "complete"
          ? { kind: "completed" as const, outputs: [] }
          : { kind: "failed" as const, error },
      files: [],
    })),
  );
}

/** No other worker may claim them. */
export async function endWaiting({ app }: Fixture, { accountId }: Customer): Promise<void> {
  const { jobs } = await listJobs(app, { accountId, limit: 100, cursor: "", state: "reserved" });
  for (const { job_id } of jobs) await cancelJob(app, accountId, job_id);
}

async function endDeliveries({ app }: Fixture): Promise<void> {
  const attempt = { number: 1, at: app.clock.now(), http_status: 500, duration_ms: 3, error: "said 500" };
  await app.mongo.db
    .collection<DeliveryDoc>("deliveries")
    .updateMany(
      { status: "pending" },
      { $set: { status: "failed", next_attempt_at: null, attempt_count: 1, attempts: [attempt] } },
    );
}

const LEDGER = { kind: "", jobId: "", since: "", until: "" };

/** Everything that the account can read, with different page sizes and filters. */
export async function shown(world: Fixture, { accountId }: Customer) {
  const { app } = world;
  const whole = (await Array.fromAsync(exportAccount(app, accountId))).join("");
  const { exported_at: _, ...exported } = JSON.parse(whole) as {
    exported_at: string;
    ledger: { created_at: string }[];
  };
  const middle = exported.ledger[Math.floor(exported.ledger.length / 2)]?.created_at ?? "";
  const jobIds = (await jobsOf({ limit: 100 })).map(({ job_id }) => job_id);
  const byJob = (await ledgerOf({ ...LEDGER, byJob: true }, 3)) as unknown[];
  return {
    exported,
    ledger: {
      twos: await ledgerOf(LEDGER, 2),
      refunds: await ledgerOf({ ...LEDGER, kind: "refund" }, 1),
      grants: await ledgerOf({ ...LEDGER, kind: "grant" }, 2),
      early: await ledgerOf({ ...LEDGER, until: middle }, 3),
      late: await ledgerOf({ ...LEDGER, since: middle }, 3),
      byJob,
      ofJobs: await Promise.all(jobIds.slice(-3).map((jobId) => ledgerOf({ ...LEDGER, jobId }, 5))),
    },
    jobs: {
      twos: await jobsOf({ limit: 2 }),
      failed: await jobsOf({ limit: 2, state: "failed,reserved" }),
      step: await jobsOf({ limit: 2, metadata: { step: "3", "a.b": "$x" } }),
      words: await jobsOf({ limit: 2, search: "CANCEL pier" }),
      early: await jobsOf({ limit: 2, until: middle }),
      these: await jobsOf({ limit: 100, job_ids: jobIds.filter((_id, i) => i % 3 === 0) }),
    },
    deliveries: [
      await deliveriesOf({ status: "", jobId: "" }),
      await deliveriesOf({ status: "failed", jobId: "" }),
      await deliveriesOf({ status: "", jobId: jobIds.at(-1) ?? "" }),
    ],
    proof: await prove(world, accountId),
  };

  async function ledgerOf(asked: typeof LEDGER & { byJob?: boolean }, limit: number) {
    return all(async (cursor) => {
      const { entries, ofJobs, nextCursor } = await listLedger(app, { accountId, limit, cursor, ...asked });
      return { rows: [...entries, ...ofJobs].map(toLedgerEntry), nextCursor };
    });
  }

  async function jobsOf(asked: Omit<JobQuery, "accountId" | "cursor">) {
    return all(async (cursor) => {
      const { jobs, nextCursor } = await listJobs(app, { accountId, cursor, ...asked });
      return { rows: jobs, nextCursor };
    });
  }

  async function deliveriesOf(asked: { status: string; jobId: string }) {
    return all((cursor) => listOwnDeliveries(app, { accountId, limit: 2, cursor, ...asked }));
  }
}

async function all<T>(page: (cursor: string) => Promise<{ rows: T[]; nextCursor: string }>): Promise<T[]> {
  const rows: T[] = [];
  let cursor = "";
  do {
    const next = await page(cursor);
    rows.push(...next.rows);
    cursor = next.nextCursor;
  } while (cursor !== "");
  return rows;
}

/** What an owner proves from the public form of the entries alone. */
async function prove({ app }: Fixture, accountId: string) {
  const newestFirst = await all(async (cursor) => {
    const { entries, nextCursor } = await listLedger(app, { accountId, limit: 7, cursor, ...LEDGER });
    return { rows: entries.map(toLedgerEntry), nextCursor };
  });
  const entries = newestFirst.reverse();
  const account = await accounts(app.mongo.db).findOne({ _id: accountId });
  return {
    broken: findBrokenEntry(entries),
    ends: entries.at(-1)?.hash === account?.ledger_hash && entries.length === account?.ledger_seq,
    sum: entries.reduce((sum, { amount }) => sum + amount, 0) === account?.balance,
  };
}

/** The audit's findings for this account. */
export async function readAuditFindings({ app }: Fixture, { accountId }: Customer): Promise<string[]> {
  const reports = await Array.fromAsync(auditAccounts(app, accountId));
  return reports.flatMap(({ findings }) => findings.map(({ what }) => what));
}

/** An app whose process dies after this many commands: no later command reaches the database. */
export function dyingAfter(app: Fixture["app"], commands: number): Fixture["app"] {
  let left = commands;
  const alive = () => {
    if (left-- <= 0) throw new Error("killed");
  };
  const db = new Proxy(app.mongo.db, {
    get: (target, name) => {
      if (name !== "collection") return Reflect.get(target, name) as unknown;
      return (of: string) => {
        alive();
        return target.collection(of);
      };
    },
  });
  return { ...app, mongo: { ...app.mongo, db } };
}
