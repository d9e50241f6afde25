// Everything that moves credits, in random order and in parallel, on two cores with dying workers: the audit stays clean. The drawn value
// is a plan of rounds; the steps of one round race each other.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectMongo } from "../../core/base/mongo/client.ts";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { setPlan } from "../../core/identity/accounts/set-terms.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { toLedgerEntry } from "../../core/identity/credits/rules.ts";
import { ledger } from "../../core/identity/credits/store.ts";
import { nextPlace, PATHS } from "../../core/operations/audit/path-rules.ts";
import { createAcceptQueue } from "../../core/studio/jobs/accept-queue.ts";
import { createCancelQueue } from "../../core/studio/jobs/cancel.ts";
import type { Claim, JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { expireWaitingJobs } from "../../core/studio/jobs/release.ts";
import { isEnded } from "../../core/studio/jobs/rules.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { LostLease, type RunOutcome } from "../../core/studio/runs/finalize.ts";
import { rescueJobs } from "../../core/studio/runs/rescue.ts";
import { createFinalizeQueue } from "../../core/studio/runs/worker.ts";
import type { Caller } from "../../proto/caller.ts";
import { AppError, type ErrorCode } from "../../proto/codes.ts";
import { findBrokenEntry } from "../../proto/resources/credits.ts";
import type { JobRequest } from "../../proto/resources/job.ts";
import { Replay } from "../model/replay.ts";
import { eventsIn, KEPT, readTraces } from "../model/trace.ts";
import { askFor } from "../support/accept.ts";
import { createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { createFakeClock } from "../support/clock.ts";
import { giveCredits } from "../support/credits.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { drawn } from "../support/thorough.ts";

const SEED = 20_260;
const PLANS_DRAWN = drawn(30);
const LEASE_MS = 15_000;
const ACCOUNTS = 3;
/** Jobs that a worker gets directly from one batch of accepts. */
const PLACES = 3;
/** So little that many requests are refused: 10 for a picture, 5 for a tune. */
const FIRST_GRANT = 90;
const SLOTS = { pro: 5, studio: 20, starter: 2 } as const;

/** The expected error codes; any other error is a bug. */
const EXPECTED: readonly ErrorCode[] = [
  "insufficient_credits",
  "queue_full",
  "job_not_found",
  "job_not_cancellable",
  "idempotency_mismatch",
  "service_unavailable",
];

const clock = createFakeClock();
let cores: JobsApp[];
// Running jobs may be cancelled too.
const testApp = sharedByTests(() =>
  createTestApp({ clock, provider: createScriptedProvider({ stopsWhenAborted: true }) }),
);
beforeAll(async () => {
  const { app, database } = testApp;
  // A separate core that shares only the database.
  const mongo = await connectMongo(database.uri, database.name);
  cores = [app, { ...app, mongo, localDispatch: { worker: undefined } }];
});
afterAll(() => cores[1]?.mongo.client.close());

const index = fc.nat({ max: 1000 });
const account = fc.nat({ max: ACCOUNTS - 1 });
const core = fc.nat({ max: 1 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("accept" as const),
      core,
      account,
      slug: fc.constantFrom("picture", "tune"),
      count: fc.integer({ min: 1, max: 3 }),
      times: fc.integer({ min: 1, max: 4 }),
      key: fc.option(fc.constantFrom("a", "b"), { nil: null }),
      expiresIn: fc.constantFrom(undefined, 1_800),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const), core, job: index }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("claim" as const), core, limit: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      core,
      claim: index,
      count: fc.integer({ min: 1, max: 4 }),
      ends: fc.constantFrom("completed", "failed", "cancelled"),
      forgets: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("die" as const), core }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rescue" as const), core }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("expire" as const), core, hours: fc.constantFrom(1, 25) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("grant" as const),
      core,
      account,
      amount: fc.integer({ min: -30, max: 40 }).filter((n) => n !== 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("plan" as const),
      core,
      account,
      plan: fc.constantFrom("pro", "studio", "starter"),
    }),
  },
);
const OUTCOMES = {
  completed: { kind: "completed", outputs: [] },
  failed: { kind: "failed", error: { code: "provider_failed", message: "It failed." } },
  cancelled: { kind: "cancelled" },
} as const satisfies Record<string, RunOutcome>;
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Two cores with their workers and accounts, and their view of the jobs. */
class Fixture {
  readonly accountIds: string[] = [];
  readonly jobs: { id: string; accountId: string }[] = [];
  readonly claims: Claim[] = [];
  /** Accepted settlements. */
  readonly settled: { claim: Claim; state: string }[] = [];
  /** Used Idempotency-Keys, with their jobs. */
  readonly made = new Map<string, Set<string>>();
  /** The largest plan that an account has had: running jobs continue on a smaller one. */
  mostSlots: number = SLOTS.pro;
  readonly #accept = cores.map((app) => createAcceptQueue(app, 8));
  readonly #cancel = cores.map((app) => createCancelQueue(app, 8));
  readonly #settle = cores.map((app) => createFinalizeQueue(app, () => 8));

  /** `atOnce`: the cores with a worker that gets jobs directly when they are accepted. */
  async begin(atOnce: readonly boolean[]): Promise<void> {
    for (const [i, { localDispatch: intake }] of cores.entries()) {
      intake.worker = atOnce[i]
        ? {
            worker: `worker-${i}`,
            leaseMs: LEASE_MS,
            take: (wanted) => Math.min(wanted, PLACES),
            start: (_taken, claims) => this.#hold(claims),
          }
        : undefined;
    }
    const app = this.core(0);
    for (let i = 0; i < ACCOUNTS; i++) {
      const { _id } = await createAccount(app, {
        email: `${app.newId("x")}@example.com`.toLowerCase(),
        name: "Customer",
        plan: "pro",
      });
      await giveCredits(app, _id, FIRST_GRANT);
      this.accountIds.push(_id);
    }
  }

  core(i: number): JobsApp {
    const app = cores[i];
    if (!app) throw new Error(`there is no core ${i}`);
    return app;
  }

  accountId(i: number): string {
    return this.accountIds[i] ?? "";
  }

  async take(one: Step): Promise<void> {
    switch (one.do) {
      case "accept":
        await Promise.all(Array.from({ length: one.times }, () => this.#acceptOne(one).catch(tolerate)));
        return;
      case "cancel": {
        const job = this.jobs[one.job % Math.max(1, this.jobs.length)];
        if (job) await this.#cancel[one.core]?.({ accountId: job.accountId, jobId: job.id });
        return;
      }
      case "claim": {
        const options = { worker: `worker-${one.core}`, limit: one.limit, leaseMs: LEASE_MS };
        this.#hold(await claimJobs(this.core(one.core), options));
        return;
      }
      case "settle": {
        // A worker that forgets died after finalizing, or before the response; others may finalize again.
        const from = one.claim % Math.max(1, this.claims.length);
        const chosen = one.forgets
          ? this.claims.splice(from, one.count)
          : this.claims.slice(from, from + one.count);
        await Promise.all(chosen.map((claim) => this.#settleOne(one.core, claim, OUTCOMES[one.ends])));
        return;
      }
      case "die":
        // No lease is extended: all running jobs may be taken over, and late results of their workers are refused.
        clock.advance(LEASE_MS);
        return;
      case "rescue":
        this.#hold(
          await rescueJobs(this.core(one.core), {
            worker: `rescuer-${one.core}`,
            limit: 10,
            leaseMs: LEASE_MS,
          }),
        );
        return;
      case "expire":
        clock.advance(one.hours * 60 * 60 * 1000);
        await expireWaitingJobs(this.core(one.core));
        return;
      case "grant": {
        const { amount } = one;
        const kind = amount > 0 ? "purchase" : "adjustment";
        await grantCredits(this.core(one.core), {
          accountId: this.accountId(one.account),
          amount,
          kind,
          memo: "drawn",
          source: "system",
        });
        return;
      }
      case "plan":
        this.mostSlots = Math.max(this.mostSlots, SLOTS[one.plan]);
        await setPlan(this.core(one.core), this.accountId(one.account), one.plan);
    }
  }

  #hold(claims: readonly Claim[]): void {
    this.claims.push(...claims);
  }

  async #settleOne(i: number, claim: Claim, outcome: RunOutcome): Promise<void> {
    try {
      await this.#settle[i]?.({ claim, outcome, files: [] });
    } catch (error) {
      tolerate(error);
      return;
    }
    this.settled.push({ claim, state: outcome.kind });
  }

  async #acceptOne({
    core: i,
    account: of,
    slug,
    count,
    key,
    expiresIn,
  }: Extract<Step, { do: "accept" }>): Promise<void> {
    const accountId = this.accountId(of);
    const caller: Caller = { kind: "account", accountId, source: "app" };
    const what: Partial<JobRequest> =
      slug === "picture"
        ? { model_slug: slug, params: { count } }
        : { model_slug: slug, modality: "audio", params: {} };
    const wanted = { ...what, ...(expiresIn !== undefined && { expires_in: expiresIn }) };
    const accepted = await this.#accept[i]?.(askFor(caller, wanted, key));
    if (!accepted) return;
    const { job, replayed } = accepted;
    if (!replayed) this.jobs.push({ id: job._id, accountId });
    if (key === null) return;
    const slot = `${accountId} ${key}`;
    this.made.set(slot, (this.made.get(slot) ?? new Set()).add(job._id));
  }

  /** Runs all jobs to their end, finalized by their current workers. */
  async finish(): Promise<void> {
    const app = this.core(0);
    for (let left = 1; left > 0;) {
      clock.advance(LEASE_MS);
      this.claims.length = 0;
      await this.take({ do: "rescue", core: 0 });
      await this.take({ do: "claim", core: 0, limit: 6 });
      await Promise.all(
        this.claims.map((claim) => this.#settleOne(0, claim, { kind: "completed", outputs: [] })),
      );
      left = await jobs(app.mongo.db).countDocuments({ state: { $in: ["reserved", "running"] } });
    }
  }
}

function tolerate(error: unknown): void {
  if (error instanceof LostLease || (error instanceof AppError && EXPECTED.includes(error.code))) return;
  throw error;
}

/** Conditions after every round. */
async function expectRightBooks(world: Fixture): Promise<void> {
  const { db } = world.core(0).mongo;
  expect(await auditFindings(world.core(1))).toEqual([]);
  for (const accountId of world.accountIds) {
    const entries = await ledger(db).find({ account_id: accountId }).sort({ seq: 1 }).toArray();
    expect(findBrokenEntry(entries.map(toLedgerEntry))).toBeUndefined();
    expect(
      entries.filter(({ balance_after, held_after }) => balance_after - held_after < 0 || held_after < 0),
    ).toEqual([]);
    const running = await jobs(db).countDocuments({ account_id: accountId, state: "running" });
    expect(running).toBeLessThanOrEqual(world.mostSlots);
  }
  for (const [slot, made] of world.made) expect([slot, made.size]).toEqual([slot, 1]);
  const inTime = {
    $lt: [{ $subtract: ["$started_at", "$created_at"] }, { $multiply: ["$expires_in", 1000] }],
  };
  const late = { expires_in: { $exists: true }, started_at: { $ne: null }, $expr: { $not: inTime } };
  expect(await jobs(db).find(late).toArray(), "jobs that started after their expires_in").toEqual([]);
  // Every job was finalized by its last worker, and by no other.
  const byId = new Map((await jobs(db).find().toArray()).map((job) => [job._id, job]));
  for (const { claim, state } of world.settled) {
    const job = byId.get(claim.job._id);
    expect([job?._id, job?.epoch, job?.state]).toEqual([claim.job._id, claim.epoch, state]);
  }
  expect(new Set(world.settled.map(({ claim }) => claim.job._id)).size).toBe(world.settled.length);
}

test("[LED-10] for any interleaving the ledger adds up, verifies and is never overdrawn, and every job is finalized once", async () => {
  const { db } = testApp.app.mongo;
  const done = { steps: 0, jobs: 0, ended: new Map<string, number>() };
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(fc.tuple(fc.boolean(), fc.boolean()), rounds, async (atOnce, plan) => {
      for (const name of ["accounts", "account_emails", "ledger", "jobs", "deliveries"])
        await db.collection(name).deleteMany({});
      const world = new Fixture();
      await world.begin(atOnce);
      for (const round of plan) {
        const results = await Promise.allSettled(round.map((one) => world.take(one)));
        for (const result of results) if (result.status === "rejected") tolerate(result.reason);
        await expectRightBooks(world);
        done.steps += round.length;
      }
      await world.finish();
      await expectRightBooks(world);
      const ended = await jobs(db).find().toArray();
      expect(ended.every(({ state }) => isEnded(state))).toBe(true);
      for (const { state } of ended) done.ended.set(state, (done.ended.get(state) ?? 0) + 1);
    }),
    // Without a time limit of its own: an interrupted plan would go on in the database of the next test.
    { numRuns: PLANS_DRAWN, seed: SEED },
  );
  console.log(
    `${done.steps} steps; jobs: ${[...done.ended].map(([state, count]) => `${count} ${state}`).join(", ")}`,
  );
  // The plans reached every end that a job can have.
  expect([...done.ended.keys()].toSorted()).toEqual(["cancelled", "completed", "failed"]);
  // Only a hang reaches it.
}, 600_000);

const traces = readTraces(process.env["ATELIER_MODEL_TRACES"] ?? KEPT);

test("the table of the audit has the paths that jobs take in traces of the model, and no others", () => {
  const taken = new Set<string>();
  for (const events of traces.flatMap(eventsIn)) {
    let place = "start";
    for (const event of events) {
      taken.add(`${place} ${event}`);
      place = nextPlace(place, event);
    }
  }
  const allowed = Object.entries(PATHS).flatMap(([place, next]) => next.map((event) => `${place} ${event}`));
  expect([...taken].toSorted()).toEqual(allowed.toSorted());
});

test("the core does step by step what the traces of the model say", async () => {
  const [app] = cores;
  if (!app) throw new Error("there is no core");
  app.localDispatch.worker = undefined;
  // The traces with the first difference and the first finding of the audit; `npm run model` reads this line.
  const found: Partial<Record<"replay" | "audit", { trace: number; what: string }>> = {};
  for (const [i, trace] of traces.entries()) {
    const what = await new Replay(app, clock).run(trace);
    const [finding] = await auditFindings(app);
    if (what !== undefined) found.replay ??= { trace: i + 1, what };
    if (finding !== undefined) found.audit ??= { trace: i + 1, what: finding };
    if (found.replay && found.audit) break;
  }
  console.log(`replayed: ${JSON.stringify({ traces: traces.length, found })}`);
  expect(found).toEqual({});
  // Only a hang reaches it; the command replays thousands.
}, 3_600_000);
