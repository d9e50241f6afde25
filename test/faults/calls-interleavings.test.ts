// Two workers on jobs with handles, each of which dies again and again at a random step: between writes, or while it calls, polls or
// fetches. No call is repeated and no result is lost.
import { EventEmitter } from "node:events";
import fc from "fast-check";
import { type CommandStartedEvent, MongoClient } from "mongodb";
import { beforeAll, expect, inject, test } from "vitest";
import { type Provider, ProviderError } from "../../core/adapters/providers/provider.ts";
import type { App } from "../../core/kernel/app.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { isEnded } from "../../core/studio/jobs/rules.ts";
import { type JobDoc, jobs, suspended } from "../../core/studio/jobs/store.ts";
import { startWorker } from "../../core/studio/runs/worker.ts";
import { acceptOne } from "../support/accept.ts";
import { addTestModel, createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { SMALL_OUTPUT } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

const SEED = 20_261;
const PLANS_DRAWN = 1_000;
const LEASE_MS = 400;
const JOBS = 4;
/** Steps that change something; a worker that only looks for work does not count. */
const WRITES = new Set(["insert", "update", "delete", "commitTransaction"]);

/** The provider's calls for a job, whatever happens to its workers. */
type Work = { begun: number; asked: number; script: Script };
type Script = { running: number; busy: boolean; fails: boolean };

/** Without a worker. */
let app: JobsApp;
let works: Map<string, Work>;
let scripts: Script[];

const testApp = sharedByTests(() => createTestApp());
beforeAll(async () => {
  const providers = [providerFor("test", false, async () => {}), providerFor("keyed", true, async () => {})];
  app = { ...testApp.app, providers: new Map(providers.map((provider) => [provider.name, provider])) };
  await addTestModel(app, { model_slug: "keyed", credits: 3, provider: "keyed", run_timeout_ms: 60_000 });
});

/** One worker's view of its provider. A dead worker gets no responses. */
function providerFor(name: string, safeToRepeat: boolean, step: () => Promise<void>): Provider {
  return {
    name,
    safeToRepeat,
    start: async ({ prompt }, { idempotencyKey }) => {
      await step();
      const script = scripts[Number(prompt)] ?? { running: 0, busy: false, fails: false };
      const known = safeToRepeat ? works.get(idempotencyKey) : undefined;
      const begun = known?.begun ?? (works.get(idempotencyKey)?.begun ?? 0) + 1;
      works.set(idempotencyKey, { begun, asked: known?.asked ?? 0, script });
      await step();
      return { handle: idempotencyKey, pollAfterMs: 1 };
    },
    poll: async (handle) => {
      await step();
      const work = works.get(handle);
      if (!work) throw new ProviderError("provider_failed", "There is no such call.");
      work.asked += 1;
      const { running, busy, fails } = work.script;
      if (busy && work.asked === 1)
        throw new ProviderError("provider_unavailable", "Busy.", { retryable: true, retryAfterMs: 1 });
      if (work.asked <= running)
        return { state: "running", progress: work.asked / (running + 1), pollAfterMs: 1 };
      if (fails) return { state: "failed", error: new ProviderError("provider_refused", "Refused.") };
      return {
        state: "made",
        collect: async () => {
          await step();
          return [SMALL_OUTPUT];
        },
      };
    },
  };
}

/** Runs a worker for this many steps, or until `stopped`. Then it dies midway. */
async function live(diesAt: number, stopped: Promise<void>): Promise<void> {
  const { database } = testApp;
  const client = new MongoClient(app.mongo.uri, {
    monitorCommands: true,
    readConcern: { level: "majority" },
    writeConcern: { w: "majority" },
    ignoreUndefined: true,
  });
  const death = Promise.withResolvers<void>();
  let steps = 0;
  const take = (): boolean => {
    steps += 1;
    if (steps === diesAt) death.resolve();
    return steps >= diesAt;
  };
  const step = async () => {
    if (take()) await new Promise(() => {});
  };
  client.on("commandStarted", ({ commandName }: CommandStartedEvent) => {
    // The socket closes before the message, or just after.
    if (WRITES.has(commandName) && take()) void client.close(true);
  });
  const mongo = { ...app.mongo, client, db: client.db(database.name) };
  const providers = new Map([
    ["test", providerFor("test", false, step)],
    ["keyed", providerFor("keyed", true, step)],
  ]);
  const signals: App["signals"] = new EventEmitter();
  const own = { ...app, mongo, providers, signals, intake: { worker: undefined } };
  const worker = startWorker(own, { concurrency: 8, leaseMs: LEASE_MS });
  await Promise.race([death.promise, stopped]);
  await client.close(true);
  // The rest of it has no effect, and is not awaited.
  void worker.stop(0);
}

const script = fc.record({ running: fc.nat({ max: 2 }), busy: fc.boolean(), fails: fc.boolean() });
const lives = fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 2 });

test("[PARK-01] [PARK-02] two workers that die at any step repeat no call and lose no result", async () => {
  const { db } = app.mongo;
  const done = new Map<string, number>();
  const endsAtMs = performance.now() + inject("callSeconds") * 1000;
  let plans = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(script, { minLength: JOBS, maxLength: JOBS }),
      lives,
      lives,
      async (drawn, first, second) => {
        // One always survives, however slow the machine is.
        if (plans > 0 && performance.now() > endsAtMs) return;
        plans += 1;
        for (const name of ["accounts", "account_emails", "ledger", "jobs", "provider_calls"])
          await db.collection(name).deleteMany({});
        works = new Map();
        scripts = drawn;
        const { caller } = await createCustomer(app);
        for (let i = 0; i < JOBS; i++)
          await acceptOne(app, caller, { prompt: String(i), model_slug: i % 2 === 0 ? "picture" : "keyed" });
        const stop = Promise.withResolvers<void>();
        const follow = async (ends: readonly number[]) => {
          for (const diesAt of ends) await live(diesAt, stop.promise);
          await live(Number.POSITIVE_INFINITY, stop.promise);
        };
        const running = Promise.all([follow(first), follow(second)]);
        await waitFor(
          "every job to end",
          async () => (await jobs(db).find().toArray()).every(hasEnded),
          30_000,
        )
          .finally(() => stop.resolve())
          .finally(() => running);
        for (const job of await jobs(db).find().toArray()) {
          expectRightEnd(job);
          const end = job.error?.code ?? job.state;
          done.set(end, (done.get(end) ?? 0) + 1);
        }
        expect(await suspended(db).countDocuments()).toBe(0);
        expect(await auditFindings(app)).toEqual([]);
      },
    ),
    {
      numRuns: PLANS_DRAWN,
      seed: SEED,
      endOnFailure: true,
    },
  );
  console.log(`${plans} plans:`, [...done].map(([end, count]) => `${count} ${end}`).join(", "));
  expect(done.get("completed") ?? 0).toBeGreaterThan(0);
}, 600_000);

const hasEnded = ({ state }: JobDoc) => isEnded(state);

function expectRightEnd(job: JobDoc): void {
  const work = works.get(job._id);
  const told = `${job._id} ${job.provider} ${job.state} ${job.error?.code} rescues ${job.rescues}`;
  expect([told, work?.begun ?? 0]).toEqual([told, Math.min(1, work?.begun ?? 0)]);
  const unknown = job.error?.code === "outcome_unknown";
  // Lost with its worker between call and handle, or given up after it ended several workers.
  if (unknown) {
    expect([told, job.rescues > 0]).toEqual([told, true]);
    expect([told, job.rescues > 3 || (job.provider === "test" && job.call?.handle === undefined)]).toEqual([
      told,
      true,
    ]);
  } else {
    expect([told, work?.begun]).toEqual([told, 1]);
    expect([told, job.error?.code]).toEqual([told, work?.script.fails ? "provider_refused" : undefined]);
  }
  expect([told, job.version]).toEqual([told, job.events.length]);
}
