// Service holds over gRPC: each ends once, none exceeds a limit, and ledger, audit and owner's view agree.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { listLedger } from "../../../../core/identity/credits/read.ts";
import { decideHolds } from "../../../../core/identity/holds/holds.ts";
import type { HoldDoc } from "../../../../core/identity/holds/store.ts";
import { sweepHolds } from "../../../../core/identity/holds/sweep.ts";
import { deleteAccount } from "../../../../core/operations/privacy/erase-accounts.ts";
import type { CoreClient } from "../../../../proto/client.ts";
import type { AppError } from "../../../../proto/codes.ts";
import { serviceRefusalOf } from "../../../../proto/errors.ts";
import type { HoldRequest } from "../../../../proto/types/atelier/v1/HoldRequest.ts";
import { createCustomer } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { useTestCore } from "../../../support/core.ts";
import { ALL_ENTRIES, giveCredits, ledgerOf } from "../../../support/credits.ts";
import { refusalOf } from "../../../support/refusal.ts";

let press: CoreClient["credits"];
let other: CoreClient["credits"];
let account: string;
let keys = 0;

const core = useTestCore();
beforeAll(async () => {
  press = core.client("press", ["Credits.Hold"]).credits;
  other = core.client("other", ["Credits.Hold"]).credits;
  for (const name of ["press", "other"])
    await core.client().admin.SetServiceLimit({ name, max_credits: 1_000_000 });
});
beforeEach(async () => {
  ({ accountId: account } = await createCustomer(core.app, { credits: 100 }));
});

const asked = (change: Partial<HoldRequest> = {}) => ({
  account,
  amount: 40,
  key: `page ${++keys}`,
  memo: "Printing of a page",
  ...change,
});
const credits = async () => {
  const found = await core.app.mongo.db.collection("accounts").findOne({ _id: account as never });
  return [found?.["balance"], found?.["held"]];
};
const holds = () => core.app.mongo.db.collection<HoldDoc>("holds");
const lapse = (holdId: string) =>
  holds().updateOne({ _id: holdId }, { $set: { expires_at: new Date(Date.now() - 1) } });
const ledger = async () =>
  (await ledgerOf(core.app, account))
    .filter(({ kind }) => kind !== "grant")
    .map(({ kind, amount, hold, memo }) => ({ kind, amount, hold, memo }))
    .toReversed();

describe("a service hold", () => {
  test("[HOLD-01] is captured in part and the rest released, each once under repeated requests", async () => {
    const request = asked();
    const { hold_id: hold } = await press.Hold(request);
    expect(await credits()).toEqual([100, 40]);
    expect((await press.Hold(request)).hold_id).toBe(hold);
    expect(await press.Capture({ hold, amount: 30 })).toMatchObject({
      state: "captured",
      captured: 30,
      amount: 40,
    });
    expect(await press.Capture({ hold, amount: 30 })).toMatchObject({ state: "captured", captured: 30 });
    expect((await press.Hold(request)).state).toBe("captured");
    expect(await credits()).toEqual([70, 0]);
    const memo = "Printing of a page";
    expect(await ledger()).toEqual([
      { kind: "release", amount: 0, hold: -10, memo },
      { kind: "debit", amount: -30, hold: -30, memo },
      { kind: "reserve", amount: 0, hold: 40, memo },
    ]);
    expect(await auditFindings(core.app)).toEqual([]);
  });

  test("is one ledger row with all its entries, also when requested by a later one", async () => {
    const { hold_id: hold } = await press.Hold(asked());
    await press.Capture({ hold, amount: 30 });
    const query = { accountId: account, ...ALL_ENTRIES, byJob: true };
    const { entries, ofJobs } = await listLedger(core.app, query);
    expect(entries.map(({ kind }) => kind)).toContain("reserve");
    expect(ofJobs.map(({ kind }) => kind)).toEqual(["release", "debit", "reserve"]);
    const fromEntry = ofJobs[1]?._id ?? "";
    expect((await listLedger(core.app, { ...query, fromEntry })).entries[0]?.kind).toBe("reserve");
  });

  test("[HOLD-02] is released by its service or by the sweep at its expiry, with its expiring credits", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    await giveCredits(core.app, account, 50, expiresAt);
    const [one, two] = [await press.Hold(asked()), await press.Hold(asked())];
    expect(await press.Release({ hold: one.hold_id })).toMatchObject({ state: "released" });
    expect(await press.Release({ hold: one.hold_id })).toMatchObject({ state: "released" });
    await lapse(two.hold_id);
    expect(await refusalOf(press.Capture({ hold: two.hold_id, amount: 1 }))).toMatchObject({
      code: "hold_ended",
    });
    await sweepHolds(core.app);
    expect((await holds().findOne({ _id: two.hold_id }))?.state).toBe("expired");
    expect(await credits()).toEqual([150, 0]);
    expect(await auditFindings(core.app)).toEqual([]);
  });

  test("[HOLD-03] ends once when captured, released and swept in parallel", async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => press.Hold(asked({ amount: 5 }))));
    const ends = made.flatMap(({ hold_id: hold }) => [
      press.Capture({ hold, amount: 3 }),
      press.Release({ hold }),
      // Another core's transaction, outside this core's batches.
      decideHolds(core.app, [{ kind: "close", holdId: hold }]),
    ]);
    await Promise.allSettled(ends);
    const ended = await holds().find({ account_id: account }).toArray();
    const captured = ended.filter(({ state }) => state === "captured").length;
    expect(ended.every(({ state }) => state !== "held")).toBe(true);
    expect(await credits()).toEqual([100 - 3 * captured, 0]);
    expect(await auditFindings(core.app)).toEqual([]);
  });
});

describe("a request for a service hold", () => {
  test.each<[what: string, change: Partial<HoldRequest>, refusal: object]>([
    ["for no credits", { amount: 0 }, { code: "invalid_request", issues: [{ path: "amount" }] }],
    ["for negative credits", { amount: -5 }, { code: "invalid_request", issues: [{ path: "amount" }] }],
    ["without an idempotency key", { key: "" }, { code: "invalid_request", issues: [{ path: "key" }] }],
    ["without a memo", { memo: "" }, { code: "invalid_request", issues: [{ path: "memo" }] }],
    [
      "for longer than a week",
      { expires_in: 604_801 },
      { code: "invalid_request", issues: [{ path: "expires_in" }] },
    ],
    ["above the account's available credits", { amount: 101 }, { code: "insufficient_credits" }],
    ["above the service's limit", { amount: 1_000_001 }, { code: "spend_limit_reached" }],
    ["for an unknown account", { account: "acc_none" }, { code: "not_found" }],
    ["for another account's key", { key_id: "key_none" }, { code: "invalid_key" }],
  ])("%s is refused, and holds nothing", async (_what, change, refusal) => {
    expect(await refusalOf(press.Hold(asked(change)))).toMatchObject(refusal);
    expect(await credits()).toEqual([100, 0]);
  });

  test("a request for a service hold with an idempotency key of another request is refused", async () => {
    const request = asked();
    await press.Hold(request);
    expect(await refusalOf(press.Hold({ ...request, amount: 41 }))).toMatchObject({
      code: "idempotency_mismatch",
    });
  });

  test("is refused when it captures more than the hold, twice with another amount, after a release, or from another service", async () => {
    const { hold_id: hold } = await press.Hold(asked());
    expect(await refusalOf(press.Capture({ hold, amount: 41 }))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "amount", message: "must be at most 40, the credits of the hold" }],
    });
    expect(await refusalOf(other.Capture({ hold, amount: 1 }))).toMatchObject({ code: "not_found" });
    expect(await refusalOf(other.Release({ hold }))).toMatchObject({ code: "not_found" });
    await press.Capture({ hold, amount: 40 });
    expect(await refusalOf(press.Capture({ hold, amount: 39 }))).toMatchObject({
      code: "hold_ended",
      message: expect.stringContaining("captured for 40 credits"),
    });
    const { hold_id: released } = await press.Hold(asked());
    await press.Release({ hold: released });
    expect(await refusalOf(press.Capture({ hold: released, amount: 1 }))).toMatchObject({
      code: "hold_ended",
    });
    expect(await credits()).toEqual([60, 0]);
  });

  test("[HOLD-04] needs a token with the scope Credits.Hold, which the gateway cannot claim and Credits does not include", async () => {
    for (const client of [core.client("gateway", ["Credits"]), core.client("reports", ["Credits"])])
      await expect(client.credits.Hold(asked())).rejects.toSatisfy(
        (error: AppError) => serviceRefusalOf(error) !== undefined,
      );
    expect(await credits()).toEqual([100, 0]);
  });
});

test("[HOLD-05] a service's monthly limit holds to the credit under parallel requests, and refuses none that fits", async () => {
  const name = `printer-${keys}`;
  const printer = core.client(name, ["Credits.Hold"]).credits;
  expect(await refusalOf(printer.Hold(asked({ amount: 1 })))).toMatchObject({
    code: "spend_limit_reached",
  });
  await core.client().admin.SetServiceLimit({ name, max_credits: 60 });
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => printer.Hold(asked({ amount: 1 }))));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(60);
  expect(await credits()).toEqual([100, 60]);
  const [first] = all.flatMap((one) => (one.status === "fulfilled" ? one.value.hold_id : []));
  await printer.Release({ hold: first ?? "" });
  await printer.Hold(asked({ amount: 1 }));
  expect(await refusalOf(printer.Hold(asked({ amount: 1 })))).toMatchObject({
    code: "spend_limit_reached",
  });
  expect(await core.client().admin.SetServiceLimit({ name, max_credits: 70 })).toMatchObject({
    credits_this_month: 60,
  });
});

describe("a service hold for a key", () => {
  const keyOf = async (limits: object) => {
    const wanted = { name: "agent", scope: "write", expiresAt: null, ...limits };
    return (await createKey(core.app, account, wanted)).key.key_id;
  };

  test("counts against the key's limit, and released credits do not", async () => {
    const key_id = await keyOf({ maxCredits: 50 });
    const { hold_id: hold } = await press.Hold(asked({ key_id }));
    expect(await refusalOf(press.Hold(asked({ amount: 11, key_id })))).toMatchObject({
      code: "spend_limit_reached",
    });
    await press.Capture({ hold, amount: 5 });
    await press.Hold(asked({ amount: 45, key_id }));
    expect(await refusalOf(press.Hold(asked({ amount: 1, key_id })))).toMatchObject({
      code: "spend_limit_reached",
    });
  });

  test("[HOLD-06] above the key's threshold waits for the owner's approval, which allows exactly that one", async () => {
    const key_id = await keyOf({ confirmAbove: 10 });
    const request = asked({ key_id });
    expect(await refusalOf(press.Hold(request))).toMatchObject({
      code: "confirmation_required",
      message: expect.stringContaining("press: Printing of a page"),
    });
    const approvals = core.app.mongo.db.collection("confirmations");
    expect(await approvals.findOne({ account_id: account })).toMatchObject({
      work: "press: Printing of a page",
      credits: 40,
    });
    await approvals.updateOne({ account_id: account }, { $set: { state: "yes" } });
    await press.Hold(request);
    expect(await refusalOf(press.Hold(asked({ key_id })))).toMatchObject({ code: "confirmation_required" });
    expect(await credits()).toEqual([100, 40]);
  });
});

test("a deleted account gets its holds released, and none of their text stays", async () => {
  const { hold_id: hold } = await press.Hold(asked({ memo: "Portrait of Ada" }));
  const found = await core.app.mongo.db.collection("accounts").findOne({ _id: account as never });
  await deleteAccount(core.app, account, String(found?.["email"]));
  await expect.poll(async () => (await holds().findOne({ _id: hold }))?.memo).toBeNull();
  expect(await holds().findOne({ _id: hold })).toMatchObject({ state: "released", memo: null });
  expect(await credits()).toEqual([100, 0]);
  expect(await refusalOf(press.Hold(asked()))).toMatchObject({ code: "not_found" });
  await expect
    .poll(async () =>
      JSON.stringify(await core.app.mongo.db.collection("ledger").find({ account_id: account }).toArray()),
    )
    .not.toContain("Portrait");
  expect(await auditFindings(core.app)).toEqual([]);
});

const change = (fields: object) => (hold: HoldDoc) => holds().updateOne({ _id: hold._id }, fields);
const GRANT = { grant_id: "led_x", amount: 5, expires_at: new Date() };

test.each<[finding: RegExp, wrong: (hold: HoldDoc) => Promise<unknown>]>([
  [/hold hold_\w+: has ledger entries, and is not there/, ({ _id }) => holds().deleteOne({ _id })],
  [/entries of 1 holds, and 2 are there/, (hold) => holds().insertOne({ ...hold, _id: "hold_x", key: "x" })],
  [/moves 0 and holds 40, not 0 and 41/, change({ $set: { credits: 41 } })],
  [/captured 41 of 40 credits/, change({ $set: { captured: 41 } })],
  [/moves -30 and holds -30, not -29 and -29/, change({ $set: { captured: 29 } })],
  [
    /held \(against waiting jobs and holds\)/,
    change({ $set: { state: "held", ended_at: null }, $unset: { captured: "" } }),
  ],
  [/is of account acc_x/, change({ $set: { account_id: "acc_x" } })],
  [/ended at no time/, change({ $set: { ended_at: null } })],
  [/names the grants none, not led_x 5/, change({ $set: { held_from: [GRANT] } })],
])("the audit of a planted hold says %s", async (finding, plant) => {
  const { hold_id: hold } = await press.Hold(asked());
  await press.Capture({ hold, amount: 30 });
  const before = await holds().findOne({ _id: hold });
  if (!before) throw new Error("the hold is not there");
  await plant(before);
  expect((await auditFindings(core.app)).join("\n")).toMatch(finding);
  await holds().deleteOne({ _id: "hold_x" });
  await holds().replaceOne({ _id: hold }, before, { upsert: true });
  expect(await auditFindings(core.app)).toEqual([]);
});
