import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, beforeAll } from "vitest";
import { revokeKey } from "../../../../core/identity/accounts/change-key.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { setPlan } from "../../../../core/identity/accounts/set-terms.ts";
import { plans } from "../../../../core/identity/accounts/store.ts";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { createAcceptQueue } from "../../../../core/studio/jobs/accept-queue.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { toJobEvents } from "../../../../core/studio/jobs/rules.ts";
import { differences, hashRequest } from "../../../../core/studio/jobs/same-request.ts";
import { NO_CALLER } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import { generateRequestSchema, type JobRequest } from "../../../../proto/resources/job.ts";
import { frozen, jobDoc } from "../../../fixtures/docs.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { ledgerOf } from "../../../support/credits.ts";
import { waitFor } from "../../../support/wait-for.ts";

const testApp = useTestApp();

/** Accepts one request. Returns the job, or the refusal's code. */
async function accept(one: AcceptRequest) {
  const [result] = await acceptJobs(testApp.app, [one]);
  if (result?.status === "fulfilled") return result.value;
  if (result?.reason instanceof AppError) return result.reason;
  throw result?.reason ?? new Error("no answer");
}

const codeOf = (result: unknown) => (result instanceof AppError ? result.code : result);

describe("accepting a generation request", () => {
  test("[GEN-17] holds the price and writes job, first event and ledger entry together", async () => {
    const { accountId, caller } = await createCustomer(testApp.app, { credits: 100 });
    const accepted = await accept(askFor(caller, { params: { count: 3 }, metadata: { order: "7" } }));
    if (accepted instanceof AppError) throw accepted;
    const entry = (await ledgerOf(testApp.app, accountId)).at(-1);
    expect(entry).toMatchObject({
      kind: "reserve",
      amount: 0,
      hold: 30,
      balance_after: 100,
      held_after: 30,
      job_id: accepted.job._id,
      source: "api",
    });
    expect(accepted.job).toMatchObject({
      state: "reserved",
      credits: 30,
      params: { count: 3 },
      metadata: { order: "7" },
      version: 1,
    });
    expect(toJobEvents(accepted.job)).toMatchObject([
      { seq: 1, type: "reserved", ledger_entry_id: entry?._id },
    ]);
  });

  test("decides each request of a batch on its own", async () => {
    const rich = await createCustomer(testApp.app, { credits: 25 });
    const poor = await createCustomer(testApp.app, { credits: 9 });
    const results = await acceptJobs(testApp.app, [
      askFor(rich.caller),
      askFor(poor.caller),
      askFor(rich.caller),
      askFor(rich.caller),
      askFor(NO_CALLER),
      askFor({ kind: "key", keySha256: "0".repeat(64), source: "api" }),
    ]);
    const told = results.map((result) =>
      result.status === "fulfilled" ? "accepted" : codeOf(result.reason),
    );
    expect(told).toEqual([
      "accepted",
      "insufficient_credits",
      "accepted",
      "insufficient_credits",
      "missing_key",
      "invalid_key",
    ]);
  });

  test("[AUTH-04] [AUTH-06] reads key, plan and account each time", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    expect(await accept(askFor(caller))).toMatchObject({ replayed: false });
    await setPlan(testApp.app, accountId, "starter");
    expect(codeOf(await accept(askFor(caller)))).toBe("plan_excludes_api");
    await setPlan(testApp.app, accountId, "pro");
    await setAccountStatus(testApp.app, accountId, "suspended");
    expect(codeOf(await accept(askFor(caller)))).toBe("account_suspended");
    await setAccountStatus(testApp.app, accountId, "active");
    for (const key of await listKeys(testApp.app, accountId))
      await revokeKey(testApp.app, accountId, key.key_id);
    expect(codeOf(await accept(askFor(caller)))).toBe("invalid_key");
  });

  test("allows 50 waiting jobs for each slot of the plan", async () => {
    const { caller } = await createCustomer(testApp.app, { credits: 10_000 });
    const results = await acceptJobs(
      testApp.app,
      Array.from({ length: 260 }, () => askFor(caller)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(250);
    const refused = results.find((result) => result.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "queue_full", retryAfterSeconds: expect.any(Number) });
  });
});

test("[GEN-14] an Idempotency-Key makes one job of 200 parallel requests on two cores", async () => {
  const { accountId, caller } = await createCustomer(testApp.app);
  const cores = [createAcceptQueue(testApp.app, 64), createAcceptQueue(testApp.app, 64)];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => cores[i % 2]?.(askFor(caller, {}, "same"))),
  );
  expect(new Set(answers.map((answer) => answer?.job._id)).size).toBe(1);
  expect(answers.filter((answer) => answer?.replayed === false)).toHaveLength(1);
  expect(await ledgerOf(testApp.app, accountId)).toHaveLength(2);
});

test("[LED-08] parallel requests spend exactly the available credits, on two cores", async () => {
  const { accountId, caller } = await createCustomer(testApp.app, { plan: "studio", credits: 2000 });
  const cores = [createAcceptQueue(testApp.app, 64), createAcceptQueue(testApp.app, 64)];
  const results = await Promise.allSettled(
    Array.from({ length: 500 }, (_, i) => cores[i % 2]?.(askFor(caller))),
  );
  const refused = results.filter((result) => result.status === "rejected");
  expect(results.length - refused.length).toBe(200);
  expect(new Set(refused.map(({ reason }) => codeOf(reason)))).toEqual(new Set(["insufficient_credits"]));
  for (const entry of await ledgerOf(testApp.app, accountId))
    expect(entry.balance_after - entry.held_after).toBeGreaterThanOrEqual(0);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("[OPS-22] low disk space refuses only new jobs, and repeated requests get their first job", async () => {
  const { accountId, caller } = await createCustomer(testApp.app);
  const earlier = await accept(askFor(caller, {}, "once"));
  if (earlier instanceof AppError) throw earlier;
  const ownDatabase = { isStopped: () => false, isShortOfSpace: () => true };
  const [replayed, refused, wrong] = await acceptJobs({ ...testApp.app, ownDatabase }, [
    askFor(caller, {}, "once"),
    askFor(caller),
    askFor(caller, { model_slug: "nowhere" }),
  ]);
  expect(replayed).toMatchObject({ status: "fulfilled", value: { replayed: true } });
  expect(replayed?.status === "fulfilled" && replayed.value.job._id).toBe(earlier.job._id);
  expect(refused).toMatchObject({
    reason: {
      code: "service_unavailable",
      message: "The service takes no new jobs at the moment.",
      retryAfterSeconds: 30,
    },
  });
  expect(wrong).toMatchObject({ reason: { code: "model_not_available" } });
  expect((await ledgerOf(testApp.app, accountId)).map(({ kind }) => kind)).toEqual(["grant", "reserve"]);
});

// The response to a repeated Idempotency-Key with another request, for every set of differing fields.
describe("a request under an Idempotency-Key that was used before", () => {
  const asked: JobRequest = frozen({
    modality: "image",
    model_slug: "picture",
    prompt: "a harbour",
    params: {},
    metadata: {},
  });
  const job = jobDoc("reserved");
  const names = Object.keys(generateRequestSchema.shape);

  test("returns exactly the names of the fields that differ, for every set of them, and no values", () => {
    for (let set = 1; set < 2 ** names.length; set++) {
      const changed = names.filter((_, i) => set & (1 << i));
      const again: JobRequest = { ...asked };
      for (const name of changed) Object.assign(again, { [name]: { another: name } });
      expect(hashRequest(again)).not.toBe(hashRequest(asked));
      // The model's default is a count of 1.
      expect(differences(job, again, { count: 1, ...again.params })).toEqual(
        changed.map((path) => ({ path, message: "differs from the first request" })),
      );
    }
  });

  test("differs in params that do not fit the model, or that spell out a default", () => {
    const paths = (filled: Record<string, unknown> | undefined) =>
      differences(job, asked, filled).map(({ path }) => path);
    expect(paths(undefined)).toEqual(["params"]);
    expect(paths({ count: 1 })).toEqual(["params"]);
  });

  test("is the same for any order of names", () => {
    const one = { ...asked, params: { a: 1, b: { c: [1, 2], d: 2 } } };
    const other = { ...asked, params: { b: { d: 2, c: [1, 2] }, a: 1 } };
    expect(hashRequest(one)).toBe(hashRequest(other));
    expect(hashRequest({ ...one, params: { a: 1, b: { c: [2, 1], d: 2 } } })).not.toBe(hashRequest(one));
  });

  // Digests that earlier releases stored. They must never change, because a client may repeat its request at any time.
  test.each([
    ["77c4ff541a60d4ca2af2beab30306b1c14cffe5b3c4c91c9f487c958e9172ea9", asked],
    [
      "1b38cfc7d75b56ed35234ccf49979ccb3dfeca8a1649b038ec304fe1b726853e",
      {
        ...asked,
        callback_url: "https://example.com/",
        params: { b: { d: 2, c: [2, 1] }, a: 1 },
        metadata: { order: "1" },
      },
    ],
    [
      "ff8e6076e9541bdd48a7405f4df57477e70c3785c3b97601976549f865d4f7a6",
      { ...asked, metadata: { 10: "a", 9: "b", x: "c" } },
    ],
  ])("has the permanent digest %s", (digest, request) => {
    expect(hashRequest(request)).toBe(digest);
    const { params, metadata, ...short } = request;
    if (Object.keys(params ?? {}).length + Object.keys(metadata ?? {}).length === 0)
      expect(hashRequest(short)).toBe(digest);
  });

  test("has another digest with a new field, and the same when that field is null", () => {
    const withField = (more: object): JobRequest => Object.assign({ ...asked }, more);
    const digest = hashRequest(asked);
    for (const nothing of [undefined, null, [], {}])
      expect(hashRequest(withField({ not_yet: nothing }))).toBe(digest);
    const said = [
      { not_yet: 0 },
      { not_yet: 1 },
      { nor_this: 1 },
      { not_yet: 1, nor_this: 1 },
      { not_yet: "" },
    ];
    const digests = said.map((more) => hashRequest(withField(more)));
    expect(new Set([digest, ...digests]).size).toBe(said.length + 1);
    expect(hashRequest(withField({ nor_this: 1, not_yet: 1 }))).toBe(digests[3]);
  });
});

// A database whose commits take 100 ms, like a replica set whose new primary depends on heartbeats, and requests at a steady rate. The rate is
// counted in commits, so that it is the same on a busy machine.
const COMMIT_MS = 100;
/** So small that the rate is far above one batch per commit. */
const MAX_BATCH = 8;
const PER_COMMIT = 40;
const REQUESTS = 800;
/** With a constant batch size the last request would wait for 100 commits. */
const MOST_COMMITS = 60;

/** An App whose commits take so long; `during` is called in each. */
function committingSlowly<Own extends App>(app: Own, during: () => void): Own {
  const { client } = app.mongo;
  const startSession = () => {
    const session = client.startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      during();
      await sleep(COMMIT_MS);
      return commit();
    };
    return session;
  };
  const slow = Object.create(client, { startSession: { value: startSession } }) as typeof client;
  return { ...app, mongo: { ...app.mongo, client: slow } };
}

beforeAll(() => plans(testApp.app.mongo.db).updateOne({ _id: "studio" }, { $set: { concurrency: 1_000 } }));

test("[JOB-38] batches grow while commits are slow, so that no request is refused at one batch per commit", async () => {
  const { caller } = await createCustomer(testApp.app, { plan: "studio", credits: 1_000_000 });
  const asked: Promise<unknown>[] = [];
  let commits = 0;
  const askSome = () => {
    const end = Math.min(REQUESTS, asked.length + PER_COMMIT);
    while (asked.length < end) asked.push(accept(askFor(caller)));
  };
  const app = committingSlowly(testApp.app, () => {
    commits += 1;
    askSome();
  });
  const accept = createAcceptQueue(app, MAX_BATCH);
  askSome();
  await waitFor("all to be asked", () => asked.length === REQUESTS);
  await Promise.all(asked);
  expect(commits).toBeLessThan(MOST_COMMITS);
});
