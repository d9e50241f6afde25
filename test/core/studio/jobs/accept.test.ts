import { describe, expect, test } from "vitest";
import { revokeKey } from "../../../../core/identity/accounts/change-key.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { setPlan } from "../../../../core/identity/accounts/set-terms.ts";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import { createAcceptQueue } from "../../../../core/studio/jobs/accept-queue.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { toJobEvents } from "../../../../core/studio/jobs/rules.ts";
import { NO_CALLER } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { ledgerOf } from "../../../support/credits.ts";

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
