// Every job of a model with a seed has one: drawn when none was given, stored with the job, and used by no other job.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ProviderError } from "../../../../core/adapters/providers/provider.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import { hashRequest } from "../../../../core/studio/jobs/same-request.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { startWorker, type Worker } from "../../../../core/studio/runs/worker.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { JobRequest } from "../../../../proto/resources/job.ts";
import { acceptOne, askFor } from "../../../support/accept.ts";
import { addTestModel, createCustomer, type TestApp, useTestApp } from "../../../support/app.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

const LEASE_MS = 15_000;

/** Fails the first call of each job with a retryable error. */
const seen = new Set<string>();
const provider = createScriptedProvider({
  answer: (_request, { idempotencyKey }) => {
    if (seen.has(idempotencyKey)) return [SMALL_OUTPUT];
    seen.add(idempotencyKey);
    throw new ProviderError("provider_unavailable", "Busy.", { retryable: true, retryAfterMs: 1 });
  },
});

const testApp = useTestApp({ provider });
beforeAll(async () => {
  await addDrawing("drawing", { type: "integer", minimum: 0, maximum: 4_294_967_295 });
  await addDrawing("dice", { type: "integer", minimum: 1, maximum: 6 });
  await addDrawing("unbounded", { type: "integer" });
  await addDrawing("any-or", { type: "integer", minimum: -1, maximum: 10 });
  await addDrawing("nothing", { type: "integer", minimum: 0.2, maximum: 0.7 });
  await addDrawing("fixed", { type: "integer", default: 7 });
  await addDrawing("wordy", { type: "string" });
  await addDrawing("picky", { type: "integer", enum: [5] });
});

const workers: Worker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop(0))));

async function addDrawing(slug: string, seed: object): Promise<void> {
  await addTestModel(testApp.app, {
    model_slug: slug,
    name: slug,
    credits: 1,
    params_schema: { type: "object", properties: { seed }, additionalProperties: false },
  });
}

/** An App that draws these seeds in order. */
const drawing = (...drawn: number[]) => ({ ...testApp.app, drawSeed: () => drawn.shift() ?? -1 });
const draw = (change: Partial<JobRequest> = {}): Partial<JobRequest> => ({
  model_slug: "drawing",
  ...change,
});

async function accept(app: TestApp["app"], one: AcceptRequest) {
  const [result] = await acceptJobs(app, [one]);
  if (result?.status === "rejected") throw result.reason;
  if (!result) throw new Error("no answer");
  return result.value;
}

describe("a job of a model with a seed", () => {
  test("[SEED-01] keeps a given seed, and draws a different one each time otherwise", async () => {
    const { caller } = await createCustomer(testApp.app);
    const app = drawing(11, 22, 33);
    expect((await acceptOne(app, caller, draw())).params).toEqual({ seed: 11 });
    expect((await acceptOne(app, caller, draw({ params: {} }))).params).toEqual({ seed: 22 });
    expect((await acceptOne(app, caller, draw({ params: { seed: 5 } }))).params).toEqual({ seed: 5 });
    expect((await acceptOne(app, caller, draw({ params: { seed: 0 } }))).params).toEqual({ seed: 0 });
  });

  test("draws a seed from the default random source", async () => {
    const { caller } = await createCustomer(testApp.app);
    const seeds = new Set<unknown>();
    for (let i = 0; i < 4; i++) seeds.add((await acceptOne(testApp.app, caller, draw())).params["seed"]);
    expect(seeds.size).toBe(4);
    for (const seed of seeds) expect(Number.isInteger(seed)).toBe(true);
  });

  test("draws a seed within the schema's bounds, and none where the schema takes no such number", async () => {
    const { caller } = await createCustomer(testApp.app);
    const drawn = async (slug: string, seed: number) =>
      (await acceptOne(drawing(seed), caller, { model_slug: slug })).params["seed"];
    expect(await drawn("drawing", 4_294_967_295)).toBe(4_294_967_295);
    expect([await drawn("dice", 0), await drawn("dice", 5), await drawn("dice", 6)]).toEqual([1, 6, 1]);
    // Most providers accept 31 bits.
    expect(await drawn("unbounded", 4_294_967_295)).toBeLessThan(2 ** 31);
    expect([await drawn("any-or", 0), await drawn("any-or", 1)]).toEqual([0, 1]);
    expect(await drawn("nothing", 1)).toBeUndefined();
    expect(await drawn("fixed", 1)).toBe(7);
    expect(await drawn("wordy", 1)).toBeUndefined();
    expect(await drawn("picky", 1)).toBeUndefined();
    expect((await acceptOne(drawing(1), caller)).params).toEqual({ count: 1 });
  });

  test("[SEED-02] passes the same seed to each of its tries, across workers", async () => {
    const { caller } = await createCustomer(testApp.app);
    const job = await acceptOne(drawing(44), caller, draw());
    // A worker that is lost after its claim: its lease has ended.
    await claimJobs(testApp.app, { worker: "lost", limit: 100, leaseMs: -1, onLate: () => {} });
    expect((await findOwnJob(testApp.app, job.account_id, job._id)).state).toBe("running");
    workers.push(startWorker(testApp.app, { concurrency: 4, leaseMs: LEASE_MS }));
    await waitFor("the job to end", async () => {
      const now = await findOwnJob(testApp.app, job.account_id, job._id);
      return now.state === "completed";
    });
    const asked = provider.calls.filter(({ call }) => call.idempotencyKey === job._id);
    expect(asked.map(({ request }) => request.params)).toEqual([{ seed: 44 }, { seed: 44 }]);
  });
});

describe("an Idempotency-Key of a job with a seed", () => {
  test("[SEED-03] returns the first job with its seed, also within one batch, and the drawn seed is not in its digest", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const asked = askFor(caller, draw(), "order-1");
    const app = drawing(1, 2, 3);
    const both = await acceptJobs(app, [asked, asked]);
    const first = both.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(first.map(({ job, replayed }) => [job.params, replayed])).toEqual([
      [{ seed: 1 }, false],
      [{ seed: 1 }, true],
    ]);
    const again = await accept(app, asked);
    expect([again.job.params, again.replayed]).toEqual([{ seed: 1 }, true]);
    const key = await testApp.app.mongo.db
      .collection("idempotency_keys")
      .findOne({ _id: `${accountId} order-1` as never });
    expect(key?.["request_sha256"]).toBe(hashRequest(asked.request));
    expect(await jobs(testApp.app.mongo.db).countDocuments({ account_id: accountId })).toBe(1);
  });

  test("[SEED-04] used for another request does not reveal the drawn seed", async () => {
    const { caller } = await createCustomer(testApp.app);
    await accept(drawing(77), askFor(caller, draw(), "order-2"));
    const refused = async (change: Partial<JobRequest>): Promise<AppError> => {
      const [result] = await acceptJobs(testApp.app, [askFor(caller, draw(change), "order-2")]);
      if (result?.status === "rejected" && result.reason instanceof AppError) return result.reason;
      throw new Error("it was not refused");
    };
    const other = await refused({ prompt: "a bridge" });
    expect(other.code).toBe("idempotency_mismatch");
    expect(other.issues).toEqual([{ path: "prompt", message: "differs from the first request" }]);
    const seeded = await refused({ params: { seed: 77 } });
    expect(seeded.issues).toEqual([{ path: "params", message: "differs from the first request" }]);
    expect(JSON.stringify([other.message, other.hint, seeded.message, seeded.hint])).not.toContain("77");
  });

  test("used for another request reports different params when the first one named its seed", async () => {
    const { caller } = await createCustomer(testApp.app);
    await accept(drawing(78), askFor(caller, draw({ params: { seed: 9 } }), "order-3"));
    const [result] = await acceptJobs(testApp.app, [askFor(caller, draw(), "order-3")]);
    expect(result).toMatchObject({ status: "rejected", reason: { issues: [{ path: "params" }] } });
  });
});
