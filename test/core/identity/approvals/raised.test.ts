// A threshold that the user raises for an hour with an approval.
import { describe, expect, test } from "vitest";
import { changeKey, revokeKey, rollKey } from "../../../../core/identity/accounts/change-key.ts";
import { createKey, provisionMemberKey } from "../../../../core/identity/accounts/create-key.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { toApiKey } from "../../../../core/identity/accounts/resource.ts";
import { getApproval } from "../../../../core/identity/approvals/answer.ts";
import { estimateJob } from "../../../../core/studio/jobs/estimate.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { auditFindings } from "../../../support/audit.ts";
import { refusalOf } from "../../../support/refusal.ts";
import {
  asCaller,
  type Asking,
  asked,
  asksAbove,
  clock,
  codeOf,
  four,
  HOUR_MS,
  jobsOf,
  say,
  send,
  sendOne,
  testApp,
  useApp,
} from "./fixtures.ts";

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
