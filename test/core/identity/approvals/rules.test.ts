// When a key's request needs the user's approval, and how long an approval is valid.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capStates, refuseCaps, spendAt } from "../../../../core/identity/accounts/cap-rules.ts";
import { changeKey, revokeKey, rollKey } from "../../../../core/identity/accounts/change-key.ts";
import { createKey, provisionMemberKey } from "../../../../core/identity/accounts/create-key.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { toApiKey } from "../../../../core/identity/accounts/resource.ts";
import { type Identity, limitOf } from "../../../../core/identity/accounts/rules.ts";
import type { KeyDoc } from "../../../../core/identity/accounts/store.ts";
import { getApproval } from "../../../../core/identity/approvals/answer.ts";
import { needsApproval, refuseUnconfirmed } from "../../../../core/identity/approvals/rules.ts";
import type { ApprovalDoc } from "../../../../core/identity/approvals/store.ts";
import { estimateJob } from "../../../../core/studio/jobs/estimate.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { auditFindings } from "../../../support/audit.ts";
import { refusalOf } from "../../../support/refusal.ts";
import {
  BEGIN,
  HOUR_MS,
  asCaller,
  type Asking,
  asked,
  asksAbove,
  clock,
  codeOf,
  four,
  jobsOf,
  say,
  send,
  sendOne,
  testApp,
  useApp,
} from "./fixtures.ts";

describe("the approval rule", () => {
  const now = new Date(BEGIN);
  const question = {
    _id: "acc_1 key_1 abc",
    account_id: "acc_1",
    key_id: "key_1",
    key_name: "agent",
    credits: 40,
    above: 20,
    jobs: [
      { modality: "image" as const, model_slug: "picture", prompt: "a pier", params: {}, callback_url: null },
    ],
  };
  const known = (change: Partial<ApprovalDoc> = {}): ApprovalDoc => ({
    ...question,
    confirmation_id: "cnf_1",
    state: "asked",
    created_at: now,
    expires_at: new Date(now.getTime() + 1),
    ...change,
  });

  test.each([
    ["no threshold", undefined, 1_000, false],
    ["a price at the threshold", 40, 40, false],
    ["a price above the threshold", 39, 40, true],
    ["any price with a threshold of 0", 0, 1, true],
    ["a free request with a threshold of 0", 0, 0, false],
  ])("compares the price with the threshold: %s", (_what, above, credits, needed) => {
    const identity = { confirm: above === undefined ? undefined : { above, keyName: "x" } };
    expect(needsApproval(identity as Identity, credits)).toBe(needed);
  });

  const REQUIRED = "confirmation_required";
  test.each<[string, ApprovalDoc | undefined, string | undefined, string | undefined]>([
    ["no request for approval", undefined, undefined, REQUIRED],
    ["no request for approval, with an approval id of the client", undefined, "cnf_1", REQUIRED],
    ["no answer yet", known(), undefined, REQUIRED],
    ["approved", known({ state: "yes" }), undefined, undefined],
    ["approved in the client", known(), "cnf_1", undefined],
    ["approved in the client for an earlier request", known(), "cnf_0", REQUIRED],
    ["declined", known({ state: "no" }), undefined, "confirmation_declined"],
    ["declined on the website", known({ state: "no" }), "cnf_1", "confirmation_declined"],
    ["already used", known({ state: "used" }), "cnf_1", REQUIRED],
    ["expired", known({ state: "yes", expires_at: now }), undefined, REQUIRED],
    ["approved at a lower price", known({ state: "yes", credits: 30 }), undefined, REQUIRED],
    ["approved at a higher price", known({ state: "yes", credits: 50 }), undefined, REQUIRED],
    ["approved in the client at another price", known({ credits: 30 }), "cnf_1", REQUIRED],
    ["declined at another price", known({ state: "no", credits: 50 }), undefined, REQUIRED],
  ])("decides by the stored approval: %s", (_what, doc, confirmedId, code) => {
    expect(refuseUnconfirmed(question, doc, { confirmedId, now })?.code).toBe(code);
  });

  test("[CNF-06] admits nothing unasked above a raised threshold or after its hour, and no cap is exceeded", () => {
    const credits = fc.integer({ min: 0, max: 60 });
    const asked = fc.record({
      credits,
      afterMs: fc.integer({ min: 0, max: HOUR_MS / 2 }),
      approved: fc.boolean(),
    });
    fc.assert(
      fc.property(
        credits,
        credits,
        fc.integer({ min: 1, max: 200 }),
        fc.array(asked),
        (own, to, day, history) => {
          const until = new Date(now.getTime() + HOUR_MS);
          const confirm_raised = { above: to, until };
          const key = {
            _id: "k",
            name: "agent",
            confirm_above: own,
            confirm_raised,
            caps: { day },
          } as KeyDoc;
          let [at, spent] = [now, limitOf(key, now).limit?.spent];
          const byDay = new Map<string, number>();
          for (const one of history) {
            at = new Date(at.getTime() + one.afterMs);
            const { limit, confirm } = limitOf(key, at);
            if (!limit || !confirm || !spent) throw new Error("the key has both");
            const wanted = { ...question, credits: one.credits, above: confirm.above };
            const doc = known({ credits: one.credits, expires_at: new Date(at.getTime() + 1), state: "yes" });
            const refusal =
              refuseCaps(one.credits, capStates(at, { ...limit, spent }), "It costs") ??
              refuseUnconfirmed(wanted, one.approved ? doc : undefined, { confirmedId: undefined, now: at });
            const allowed = one.approved || one.credits <= (at < until ? Math.max(own, to) : own);
            if (allowed && refusal) expect(refusal.code).toBe("spend_limit_reached");
            if (refusal) continue;
            expect(allowed).toBe(true);
            spent = spendAt(at, spent, one.credits);
            const name = at.toISOString().slice(0, 10);
            byDay.set(name, (byDay.get(name) ?? 0) + one.credits);
          }
          for (const sum of byDay.values()) expect(sum).toBeLessThanOrEqual(day);
        },
      ),
    );
  });

  test("reports the approved price when the price has changed", () => {
    const refusal = refuseUnconfirmed(question, known({ state: "yes", credits: 30 }), {
      confirmedId: undefined,
      now,
    });
    expect(refusal?.message).toContain("changed from 30 to 40 credits");
  });
});

// A threshold that the user raises for an hour with an approval.
useApp();

describe("a threshold that was raised with an approval", () => {
  const count = (caller: Caller, wanted: number, prompt = "a mole") =>
    four(caller, { params: { count: wanted }, prompt });
  /** The approved request costs 40. */
  const raised = async (to: number) => {
    const asking = await asksAbove(20);
    const approvalId = asked(await sendOne(four(asking.caller)));
    await say(asking.accountId, approvalId, true, to);
    return { ...asking, approvalId };
  };
  const keyOf = async ({ accountId, keyId }: Asking) => {
    const key = (await listKeys(testApp.app, accountId)).find(({ key_id }) => key_id === keyId);
    return key && toApiKey(key, clock.now());
  };

  test("[CNF-06] admits requests of its key up to it for an hour, within the limits of the key", async () => {
    const asking = await raised(30);
    const { accountId, caller, keyId, approvalId } = asking;
    await changeKey(testApp.app, { accountId, keyId }, { name: "renamed", maxCredits: 110 });
    expect(await keyOf(asking)).toMatchObject({
      confirm_above: 20,
      confirm_raised: { above: 30, until: "2099-01-30T13:00:00.000Z" },
    });
    // It does not replace the approval, which is used up.
    expect(codeOf(await sendOne(four(caller)))).toBe("job_");
    expect((await getApproval(testApp.app, { accountId, approvalId })).state).toBe("used");
    expect(codeOf(await sendOne(count(caller, 3)))).toBe("job_");
    expect(await sendOne(count(caller, 4))).toMatchObject({
      numbers: { credits_required: 40, confirm_above: 30 },
    });
    const { needs_confirmation } = await estimateJob(testApp.app, caller, count(caller, 3).request);
    expect(needs_confirmation).toBe(false);
    const wanted = { name: "other", scope: "write", expiresAt: null, confirmAbove: 20 };
    const other = asCaller((await createKey(testApp.app, accountId, wanted)).secret);
    const rolled = await rollKey(testApp.app, { accountId, keyId }, "24h");
    for (const by of [other, asCaller(rolled.secret)])
      expect(codeOf(await sendOne(count(by, 3)))).toBe("confirmation_required");
    clock.advance(HOUR_MS - 1);
    expect((await send(count(caller, 3), count(caller, 3))).map(codeOf)).toEqual([
      "job_",
      "spend_limit_reached",
    ]);
    await changeKey(testApp.app, { accountId, keyId }, { maxCredits: null });
    clock.advance(1);
    expect(codeOf(await sendOne(count(caller, 3)))).toBe("confirmation_required");
    expect((await keyOf(asking))?.confirm_raised).toBeUndefined();
    expect(await jobsOf(accountId)).toBe(3);
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test.each<[string, (asking: Asking & { approvalId: string }) => Promise<unknown>]>([
    ["its user asks for that", (key) => changeKey(testApp.app, key, { askAgain: true })],
    ["the key gets another threshold", (key) => changeKey(testApp.app, key, { confirmAbove: 19 })],
    ["the approval is withdrawn", ({ accountId, approvalId }) => say(accountId, approvalId, false)],
    [
      "another request is declined",
      async ({ accountId, caller }) => say(accountId, asked(await sendOne(count(caller, 4))), false),
    ],
  ])("[CNF-06] ends before its hour when %s", async (_when, end) => {
    const asking = await raised(30);
    await end(asking);
    expect(codeOf(await sendOne(count(asking.caller, 3)))).toBe("confirmation_required");
    expect((await keyOf(asking))?.confirm_raised).toBeUndefined();
  });

  test("[CNF-06] does not admit a request that the user has declined", async () => {
    const { accountId, caller } = await asksAbove(20);
    await say(accountId, asked(await sendOne(count(caller, 3))), false);
    await say(accountId, asked(await sendOne(four(caller))), true, 40);
    expect(codeOf(await sendOne(count(caller, 3)))).toBe("confirmation_declined");
  });

  test("[CNF-06] is at most the approved price, and only of a key that its owner can see", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    const approvalId = asked(await sendOne(four(caller)));
    for (const to of [-1, 20, 30.5, 41])
      expect(await refusalOf(say(accountId, approvalId, true, to))).toMatchObject({
        code: "invalid_request",
        issues: [{ path: "raise_to", message: "must be a whole number from 21 to 40" }],
      });
    await revokeKey(testApp.app, accountId, keyId);
    expect(await refusalOf(say(accountId, approvalId, true, 40))).toMatchObject({ code: "not_found" });
    // A refused answer is none.
    expect((await getApproval(testApp.app, { accountId, approvalId })).state).toBe("asked");
    const wanted = { name: "member", expiresAt: null, confirmAbove: 20 };
    const member = await provisionMemberKey(testApp.app, accountId, wanted);
    const confirmations = testApp.app.mongo.db.collection("confirmations");
    await confirmations.updateOne({ confirmation_id: approvalId }, { $set: { key_id: member.key.key_id } });
    expect(await refusalOf(say(accountId, approvalId, true, 40))).toMatchObject({ code: "not_found" });
  });
});
