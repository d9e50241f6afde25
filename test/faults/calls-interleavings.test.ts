// Two workers on jobs with handles, each of which dies again and again at a random step: between writes, or while it calls, polls or
// fetches. No call is repeated, no result is lost, and what was not delivered is refunded once.
import { EventEmitter } from "node:events";
import fc from "fast-check";
import { type CommandStartedEvent, MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Provider, ProviderError } from "../../core/adapters/providers/provider.ts";
import type { App } from "../../core/kernel/app.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { isEnded } from "../../core/studio/jobs/rules.ts";
import { type JobDoc, jobs, suspended } from "../../core/studio/jobs/store.ts";
import { startWorker } from "../../core/studio/runs/worker.ts";
import { acceptOne } from "../support/accept.ts";
import { addTestModel, countParams, createCustomer, createTestApp, type TestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { SMALL_OUTPUT } from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";

const SEED = 20_261;
/** Each on a database of its own: a plan mostly waits. */
const PLANS_AT_ONCE = 5;
const LEASE_MS = 400;
const JOBS = 4;
/** None ends by it, however slow the machine is. */
const RUN_TIMEOUT_MS = 600_000;
/** Too large to be written with the job. */
const LARGE_OUTPUT = { ...SMALL_OUTPUT, bytes: new Uint8Array(300_000) };
/** Steps that change something; a worker that only looks for work does not count. */
const WRITES = new Set(["insert", "update", "delete", "commitTransaction"]);

/** The provider's calls for a job, whatever happens to its workers. */
type Work = { begun: number; asked: number; script: Script };
type Script = { running: number; busy: boolean; fails: boolean };

type Plan = { scripts: Script[]; first: number[]; second: number[] };

/** A database without a worker, and the calls for its jobs. */
type World = { readonly test: TestApp; readonly app: JobsApp; works: Map<string, Work>; scripts: Script[] };

let worlds: World[];
beforeAll(async () => {
  worlds = await Promise.all(Array.from({ length: PLANS_AT_ONCE }, createWorld));
});
afterAll(async () => {
  for (const { test } of worlds) await test.close();
});

async function createWorld(): Promise<World> {
  const test = await createTestApp();
  const world: { -readonly [K in keyof World]: World[K] } = {
    test,
    app: test.app,
    works: new Map(),
    scripts: [],
  };
  world.app = { ...test.app, providers: providersFor(world, async () => {}) };
  await addTestModel(world.app, {
    model_slug: "plain",
    per: "image",
    params_schema: countParams,
    run_timeout_ms: RUN_TIMEOUT_MS,
  });
  await addTestModel(world.app, {
    model_slug: "keyed",
    credits: 3,
    provider: "keyed",
    run_timeout_ms: RUN_TIMEOUT_MS,
  });
  return world;
}

function providersFor(world: World, step: () => Promise<void>): App["providers"] {
  return new Map([
    ["test", providerFor(world, { name: "test", safeToRepeat: false, step })],
    ["keyed", providerFor(world, { name: "keyed", safeToRepeat: true, step })],
  ]);
}

/** One worker's view of its provider. A dead worker gets no responses. */
function providerFor(
  world: World,
  { name, safeToRepeat, step }: { name: string; safeToRepeat: boolean; step: () => Promise<void> },
): Provider {
  return {
    name,
    safeToRepeat,
    start: async ({ prompt }, { idempotencyKey }) => {
      await step();
      const { scripts, works } = world;
      const script = scripts[Number(prompt)] ?? { running: 0, busy: false, fails: false };
      const known = safeToRepeat ? works.get(idempotencyKey) : undefined;
      const begun = known?.begun ?? (works.get(idempotencyKey)?.begun ?? 0) + 1;
      works.set(idempotencyKey, { begun, asked: known?.asked ?? 0, script });
      await step();
      return { handle: idempotencyKey, pollAfterMs: 1 };
    },
    poll: async (handle) => {
      await step();
      const work = world.works.get(handle);
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
          return name === "keyed" ? [SMALL_OUTPUT] : [SMALL_OUTPUT, LARGE_OUTPUT, SMALL_OUTPUT];
        },
      };
    },
  };
}

/** Runs a worker for this many steps, or until `stopped`. Then it dies midway. */
async function live(world: World, diesAt: number, stopped: Promise<void>): Promise<void> {
  const { app, test } = world;
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
  const mongo = { ...app.mongo, client, db: client.db(test.database.name) };
  const signals: App["signals"] = new EventEmitter();
  const providers = providersFor(world, step);
  const own = { ...app, mongo, providers, signals, localDispatch: { worker: undefined } };
  const worker = startWorker(own, { concurrency: 8, leaseMs: LEASE_MS });
  await Promise.race([death.promise, stopped]);
  await client.close(true);
  // The rest of it has no effect, and is not awaited.
  void worker.stop(0);
}

const script = fc.record({ running: fc.nat({ max: 2 }), busy: fc.boolean(), fails: fc.boolean() });
const lives = fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 2 });

const plan: fc.Arbitrary<Plan> = fc.record({
  scripts: fc.array(script, { minLength: JOBS, maxLength: JOBS }),
  first: lives,
  second: lives,
});

/** Returns how each job ended. */
async function play(world: World, { scripts, first, second }: Plan): Promise<string[]> {
  const { app } = world;
  const { db } = app.mongo;
  for (const name of ["accounts", "account_emails", "ledger", "jobs", "provider_calls"])
    await db.collection(name).deleteMany({});
  Object.assign(world, { works: new Map(), scripts });
  const { caller } = await createCustomer(app);
  for (let i = 0; i < JOBS; i++)
    await acceptOne(app, caller, {
      prompt: String(i),
      ...(i % 2 === 0 ? { model_slug: "plain", params: { count: 4 } } : { model_slug: "keyed" }),
    });
  const stop = Promise.withResolvers<void>();
  const follow = async (ends: readonly number[]) => {
    for (const diesAt of ends) await live(world, diesAt, stop.promise);
    // One always survives, however slow the machine is.
    await live(world, Number.POSITIVE_INFINITY, stop.promise);
  };
  const running = Promise.all([follow(first), follow(second)]);
  await waitFor("every job to end", async () => (await jobs(db).find().toArray()).every(hasEnded), 90_000)
    .finally(() => stop.resolve())
    .finally(() => running);
  const ended = await jobs(db).find().toArray();
  for (const job of ended) expectRightEnd(job, world.works.get(job._id));
  expect(await suspended(db).countDocuments()).toBe(0);
  expect(await auditFindings(app)).toEqual([]);
  return ended.map(({ error, state }) => error?.code ?? state);
}

test("[PARK-01] [PARK-02] [PART-01] two workers that die at any step repeat no call and lose no result", async () => {
  const ends: string[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: PLANS_AT_ONCE, maxLength: PLANS_AT_ONCE }),
      async (plans) => {
        const all = await Promise.all(plans.map((one, i) => play(worlds[i] as World, one)));
        ends.push(...all.flat());
      },
    ),
    { numRuns: inject("callPlans") / PLANS_AT_ONCE, seed: SEED, endOnFailure: true },
  );
  const counts = [...Map.groupBy(ends, (end) => end)].map(([end, all]) => `${all.length} ${end}`);
  console.log(`${inject("callPlans")} plans: ${counts.join(", ")}`);
  expect(ends).toContain("completed");
}, 600_000);

const hasEnded = ({ state }: JobDoc) => isEnded(state);

function expectRightEnd(job: JobDoc, work: Work | undefined): void {
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
  if (job.state !== "completed" || job.provider === "keyed") return;
  // The audit compares the ledger with that.
  expect([told, job.delivered]).toEqual([told, { unit: "output", asked: 4, got: 3 }]);
}
