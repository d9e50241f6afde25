// Spending limits of a request and of a key by the month, counted in the transactions that move the credits.
import { describe, expect, test } from "vitest";
import type { CapState } from "../../../../core/identity/accounts/cap-rules.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { toApiKey } from "../../../../core/identity/accounts/resource.ts";
import type { KeyCaps } from "../../../../core/identity/accounts/rules.ts";
import { keys } from "../../../../core/identity/accounts/store.ts";
import { readEvents } from "../../../../core/kernel/events/record.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { refuseSpending } from "../../../../core/studio/jobs/rules.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { watchEvents } from "../../../../core/studio/webhooks/account-endpoints.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { askFor, cancelJob } from "../../../support/accept.ts";
import { createCustomer, useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";

const { testApp, clock } = useEmptyApp("2026-01-30T12:00:00.000Z");

/** Ids of jobs; for a refusal the code with its numbers. */
async function accept(...requests: AcceptRequest[]): Promise<(string | object)[]> {
  const results = await acceptJobs(testApp.app, requests);
  return results.map((result) => {
    if (result.status === "fulfilled") return result.value.job._id;
    if (result.reason instanceof AppError) return { code: result.reason.code, ...result.reason.numbers };
    throw result.reason;
  });
}

type Limited = { accountId: string; caller: Caller; spent: () => Promise<number | null> };

/** A customer with a key that has this monthly limit; a picture costs 10. */
async function limitedTo(maxCredits: number | undefined, caps?: KeyCaps): Promise<Limited> {
  const { accountId } = await createCustomer(testApp.app, { credits: 1_000 });
  const wanted = { name: "limited", scope: "write", expiresAt: null, maxCredits, caps };
  const { secret, key } = await createKey(testApp.app, accountId, wanted);
  const spent = async () => {
    const found = (await listKeys(testApp.app, accountId)).find(({ key_id }) => key_id === key.key_id);
    return found ? toApiKey(found, clock.now()).credits_this_month : null;
  };
  return { accountId, caller: { kind: "key", keySha256: hashApiKey(secret), source: "api" }, spent };
}

const claim = () => claimJobs(testApp.app, { worker: "w1", limit: 10, leaseMs: 15_000 });
const idOf = (result: string | object | undefined) => (typeof result === "string" ? result : "");

const monthly = (limit: number, used: number, left: number): CapState[] => [
  { period: "month", limit, used, left },
];

test("a limit that was lowered below the spending has nothing left", () => {
  const lowered = refuseSpending(1, { request: undefined, key: monthly(5, 9, 0) });
  expect(lowered?.numbers).toEqual({ limit: 5, used: 9, left: 0, credits_required: 1 });
});

describe("a request's spending limit", () => {
  test("[LED-13] refuses a higher price before anything is held", async () => {
    const { accountId, caller } = await createCustomer(testApp.app, { credits: 100 });
    expect(await accept(askFor(caller, { max_credits: 9 }))).toEqual([
      { code: "spend_limit_reached", limit: 9, used: 0, left: 9, credits_required: 10 },
    ]);
    expect(await getAccount(testApp.app, accountId)).toMatchObject({ held: 0, ledger_seq: 1 });
    expect(await accept(askFor(caller, { max_credits: 10 }))).toEqual([expect.stringMatching(/^job_/)]);
  });

  test("is part of the request that an Idempotency-Key stands for", async () => {
    const { caller } = await createCustomer(testApp.app, { credits: 100 });
    const first = await accept(askFor(caller, { max_credits: 10 }, "k"));
    expect(await accept(askFor(caller, { max_credits: 10 }, "k"))).toEqual(first);
    const [again] = await acceptJobs(testApp.app, [askFor(caller, { max_credits: 11 }, "k")]);
    expect(again).toMatchObject({
      reason: { code: "idempotency_mismatch", issues: [{ path: "max_credits" }] },
    });
  });
});

describe("a key's spending limit", () => {
  test("[LED-13] holds to the credit, within one batch and in parallel ones", async () => {
    const { caller, spent } = await limitedTo(45);
    const all = await Promise.all([
      accept(askFor(caller), askFor(caller), askFor(caller)),
      accept(askFor(caller), askFor(caller), askFor(caller)),
    ]);
    const results = all.flat();
    expect(results.filter((one) => typeof one === "string")).toHaveLength(4);
    for (const refused of results.filter((one) => typeof one === "object"))
      expect(refused).toEqual({
        code: "spend_limit_reached",
        limit: 45,
        used: 40,
        left: 5,
        credits_required: 10,
      });
    expect(await spent()).toBe(40);
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test("[LED-13] counts the credits of a cancelled or failed job back, once", async () => {
    const { accountId, caller, spent } = await limitedTo(30);
    const [first, second] = await accept(askFor(caller), askFor(caller, {}, "k"), askFor(caller));
    expect(await accept(askFor(caller))).toEqual([expect.objectContaining({ used: 30 })]);
    // A repeat is the same job and costs nothing.
    expect(await accept(askFor(caller, {}, "k"))).toEqual([second]);
    await cancelJob(testApp.app, accountId, idOf(first));
    expect(await spent()).toBe(20);
    const [running] = await claim();
    if (!running) throw new Error("nothing was claimed");
    const error = { code: "provider_failed", message: "x" };
    await finalizeJobs(testApp.app, [{ claim: running, outcome: { kind: "failed", error }, files: [] }]);
    expect(await spent()).toBe(10);
    expect(await accept(askFor(caller), askFor(caller))).toEqual([expect.any(String), expect.any(String)]);
  });

  test("starts again each month, and refunds of the last month do not count", async () => {
    const { accountId, caller, spent } = await limitedTo(20);
    const [first, second] = await accept(askFor(caller), askFor(caller));
    clock.set("2026-02-01T00:00:00.000Z");
    expect(await spent()).toBe(0);
    // Refunds of a counted earlier month, and of one that is not stored.
    await cancelJob(testApp.app, accountId, idOf(first));
    expect(await accept(askFor(caller), askFor(caller))).toEqual([expect.any(String), expect.any(String)]);
    await cancelJob(testApp.app, accountId, idOf(second));
    expect(await spent()).toBe(20);
    expect(await accept(askFor(caller))).toEqual([expect.objectContaining({ used: 20 })]);
  });

  test("does not limit another key of the account, for which nothing is counted", async () => {
    const { accountId, caller: limited } = await limitedTo(10);
    const { secret } = await createKey(testApp.app, accountId, {
      name: "free",
      scope: "write",
      expiresAt: null,
    });
    const free: Caller = { kind: "key", keySha256: hashApiKey(secret), source: "api" };
    expect(await accept(askFor(limited), askFor(limited), askFor(free))).toEqual([
      expect.any(String),
      expect.objectContaining({ code: "spend_limit_reached" }),
      expect.any(String),
    ]);
    const { db } = testApp.app.mongo;
    expect(await keys(db).countDocuments({ account_id: accountId, spent: { $exists: true } })).toBe(1);
    expect(
      await db.collection("jobs").countDocuments({ account_id: accountId, counted_on: { $exists: true } }),
    ).toBe(1);
  });
});

const HOUR_MS = 60 * 60 * 1000;

describe("a key's caps for a day, a week and in total", () => {
  const shown = async (accountId: string) => {
    const [key] = await listKeys(testApp.app, accountId);
    const caps = key && toApiKey(key, clock.now()).caps;
    return caps?.map(({ per, credits_used, max_credits }) => `${per} ${credits_used}/${max_credits}`);
  };
  const mails = async () =>
    (
      await testApp.app.mongo.db.collection("mails").find({ kind: "key.limit" }).sort({ _id: 1 }).toArray()
    ).map(({ subject }) => String(subject));

  test("[LED-16] hold to the credit under parallel requests, and name the cap that refuses", async () => {
    const { accountId, caller } = await limitedTo(undefined, { day: 45, week: 60 });
    const all = await Promise.all(Array.from({ length: 12 }, () => accept(askFor(caller))));
    expect(all.flat().filter((one) => typeof one === "string")).toHaveLength(4);
    expect(all.flat().filter((one) => typeof one === "object")).toEqual(
      Array.from({ length: 8 }, () => expect.objectContaining({ limit: 45, used: 40, left: 5 })),
    );
    // The next day has a cap of its own, the week continues: the 30th of January is a Friday.
    clock.set("2026-01-31T00:00:00.000Z");
    expect(await shown(accountId)).toEqual(["day 0/45", "week 40/60"]);
    expect(await accept(askFor(caller), askFor(caller), askFor(caller))).toEqual([
      expect.any(String),
      expect.any(String),
      expect.objectContaining({ limit: 60, used: 60 }),
    ]);
    clock.set("2026-02-02T00:00:00.000Z");
    expect(await shown(accountId)).toEqual(["day 0/45", "week 0/60"]);
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test("[LED-16] count refunds back within their period, and the total across all periods", async () => {
    const { accountId, caller } = await limitedTo(undefined, { day: 20, total: 30 });
    const [first, second] = await accept(askFor(caller), askFor(caller));
    await cancelJob(testApp.app, accountId, idOf(first));
    expect(await shown(accountId)).toEqual(["day 10/20", "total 10/30"]);
    clock.advance(24 * HOUR_MS);
    await accept(askFor(caller));
    await cancelJob(testApp.app, accountId, idOf(second));
    expect(await shown(accountId)).toEqual(["day 10/20", "total 10/30"]);
    expect(await accept(askFor(caller), askFor(caller))).toEqual([
      expect.any(String),
      expect.objectContaining({ limit: 20, used: 20 }),
    ]);
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test("[LED-16] are recounted by the audit from the key's jobs", async () => {
    const { caller } = await limitedTo(50, { day: 50 });
    await accept(askFor(caller), askFor(caller));
    const change = { "spent.credits": 1, "spent_in.day.credits": -1, "spent_in.week.credits": 2 };
    await keys(testApp.app.mongo.db).updateMany({ spent: { $exists: true } }, { $inc: change });
    const found = await auditFindings(testApp.app);
    expect(found.map((finding) => finding.replace(/key_\w+/, "key_…"))).toEqual([
      "key key_…: counts 21 credits in the month 2026-01, and its jobs and holds cost 20",
      "key key_…: counts 19 credits on the day 2026-01-30, and its jobs and holds cost 20",
      "key key_…: counts 22 credits in the week of 2026-01-26, and its jobs and holds cost 20",
    ]);
  });

  test("[LED-17] send the owner one mail and one event at 75% and one at 90% in each period", async () => {
    const { accountId, caller } = await limitedTo(undefined, { day: 40 });
    await watchEvents(testApp.app, accountId);
    const [first] = await accept(askFor(caller), askFor(caller));
    expect(await mails()).toEqual([]);
    await accept(askFor(caller));
    expect(await mails()).toEqual(["Your key limited has used 75% of its limit"]);
    await cancelJob(testApp.app, accountId, idOf(first));
    await accept(askFor(caller));
    expect(await mails()).toHaveLength(1);
    await accept(askFor(caller));
    expect((await mails()).sort()).toEqual([
      "Your key limited has used 75% of its limit",
      "Your key limited has used 90% of its limit",
    ]);
    clock.advance(24 * HOUR_MS);
    await accept(askFor(caller), askFor(caller), askFor(caller));
    expect(await mails()).toHaveLength(3);
    const { rows } = await readEvents(testApp.app, accountId, { after: 0, limit: 10 });
    const told = rows.filter(({ event }) => event === "key.limit");
    expect(told.map(({ data }) => data["percent"])).toEqual([75, 90, 75]);
  });
});
