// The user's approval of a request above a key's threshold: when it is needed, how long it is valid, and that no credits are held without
// it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeKey } from "../../../../core/identity/accounts/change-key.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { revokeKey } from "../../../../core/identity/accounts/revoke-key.ts";
import { rollKey } from "../../../../core/identity/accounts/roll-key.ts";
import type { Identity } from "../../../../core/identity/accounts/rules.ts";
import { answerApproval, getApproval } from "../../../../core/identity/approvals/answer.ts";
import { orAsk } from "../../../../core/identity/approvals/ask.ts";
import { needsApproval, refuseUnconfirmed } from "../../../../core/identity/approvals/rules.ts";
import type { ApprovalDoc } from "../../../../core/identity/approvals/store.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { estimateJob } from "../../../../core/studio/jobs/estimate.ts";
import { deleteAccount } from "../../../../core/operations/privacy/delete-account.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { Caller } from "../../../../proto/caller.ts";
import type { WorkflowRequest } from "../../../../proto/resources/workflow.ts";
import type { JobRequest } from "../../../../proto/resources/job.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, createTestApp, type TestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { picture, run, tune } from "../../studio/workflows/fixtures.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

/** Far in the future, because MongoDB removes expired documents by the real time. */
const BEGIN = "2099-01-30T12:00:00.000Z";
const FIFTEEN_MINUTES_MS = 15 * 60_000;

let clock = createFakeClock(BEGIN);
let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ clock: { now: () => clock.now() } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  clock = createFakeClock(BEGIN);
  await testApp.empty();
});

const asCaller = (secret: string): Caller => ({
  kind: "key",
  keySha256: hashApiKey(secret),
  source: "api",
});

type Asking = { accountId: string; caller: Caller; keyId: string };

/** A customer with a key that needs approval above this many credits; a picture costs 10, four of them 40. */
async function asksAbove(confirmAbove: number): Promise<Asking> {
  const { accountId } = await createCustomer(testApp.app, { credits: 1_000 });
  const wanted = { name: "agent", scope: "write", expiresAt: null, confirmAbove };
  const { secret, key } = await createKey(testApp.app, accountId, wanted);
  return { accountId, caller: asCaller(secret), keyId: key.key_id };
}

/** Accepts a request. Returns the job's id or the refusal. */
async function send(...requests: AcceptRequest[]): Promise<(string | AppError)[]> {
  const results = await acceptJobs(testApp.app, requests);
  return Promise.all(
    results.map(async (result) => {
      const settled = orAsk(testApp.app, async () => {
        if (result.status === "rejected") throw result.reason;
        return result.value.job._id;
      });
      return settled.catch((error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      });
    }),
  );
}

async function sendOne(request: AcceptRequest): Promise<string | AppError> {
  const [answer] = await send(request);
  if (answer === undefined) throw new Error("one is asked, and one is answered");
  return answer;
}

/** The approval's id in the refusal. */
function asked(answer: string | AppError): string {
  if (typeof answer === "string" || answer.code !== "confirmation_required")
    throw new Error(`nobody was asked: ${typeof answer === "string" ? answer : answer.code}`);
  return answer.facts?.["confirmation_id"] ?? "";
}

const codeOf = (answer: string | AppError): string =>
  typeof answer === "string" ? answer.slice(0, 4) : answer.code;
const four = (caller: Caller, change: Partial<JobRequest> = {}, key: string | null = null) =>
  askFor(caller, { params: { count: 4 }, ...change }, key);
const say = (accountId: string, approvalId: string, yes: boolean) =>
  answerApproval(testApp.app, { accountId, approvalId }, yes);
const jobsOf = (accountId: string) =>
  testApp.app.mongo.db.collection("jobs").countDocuments({ account_id: accountId });

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

  test("reports the approved price when the price has changed", () => {
    const refusal = refuseUnconfirmed(question, known({ state: "yes", credits: 30 }), {
      confirmedId: undefined,
      now,
    });
    expect(refusal?.message).toContain("changed from 30 to 40 credits");
  });
});

describe("a request above the key's threshold", () => {
  test("[CNF-01] holds no credits until the user approves, and is then accepted once", async () => {
    const { accountId, caller } = await asksAbove(20);
    expect(codeOf(await sendOne(askFor(caller)))).toBe("job_");
    const before = await getAccount(testApp.app, accountId);
    const refused = await sendOne(four(caller));
    const approvalId = asked(refused);
    expect(refused).toMatchObject({
      numbers: { credits_required: 40, confirm_above: 20 },
      facts: { confirm_url: `http://localhost:8080/account/confirm/${approvalId}` },
    });
    expect((refused as AppError).message).toContain('40 credits on image with picture: "a pier"');
    expect((refused as AppError).message).toContain(`/account/confirm/${approvalId}`);
    // Repeats return the same approval.
    expect(asked(await sendOne(four(caller)))).toBe(approvalId);
    expect(await getAccount(testApp.app, accountId)).toEqual(before);
    expect(await getApproval(testApp.app, { accountId, approvalId })).toMatchObject({
      state: "asked",
      credits: 40,
      jobs: [{ modality: "image", model_slug: "picture", prompt: "a pier", params: { count: 4 } }],
    });

    await say(accountId, approvalId, true);
    expect(await getAccount(testApp.app, accountId)).toEqual(before);
    expect(codeOf(await sendOne(four(caller)))).toBe("job_");
    expect(await getApproval(testApp.app, { accountId, approvalId })).toMatchObject({
      state: "used",
    });
    // A repeat with an Idempotency-Key needs another approval, and creates no job.
    const again = asked(await sendOne(four(caller)));
    expect(again).not.toBe(approvalId);
    expect(asked(await sendOne({ ...four(caller), confirmedId: approvalId }))).toBe(again);
    expect(await jobsOf(accountId)).toBe(2);
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test("[CNF-02] makes one job per approval, within one batch and in parallel ones", async () => {
    const { accountId, caller } = await asksAbove(20);
    await say(accountId, asked(await sendOne(four(caller))), true);
    const all = await Promise.all([
      send(four(caller), four(caller)),
      send(four(caller)),
      send(four(caller), four(caller)),
    ]);
    expect(all.flat().map(codeOf).sort()).toEqual([
      ...Array<string>(4).fill("confirmation_required"),
      "job_",
    ]);
    expect(await jobsOf(accountId)).toBe(1);
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test("is accepted after an approval in the client for exactly that question", async () => {
    const { accountId, caller } = await asksAbove(20);
    const confirmedId = asked(await sendOne(four(caller)));
    const other = asked(await sendOne(four(caller, { prompt: "a mole" })));
    expect(codeOf(await sendOne({ ...four(caller), confirmedId: other }))).toBe("confirmation_required");
    expect(codeOf(await sendOne({ ...four(caller), confirmedId }))).toBe("job_");
    expect(codeOf(await sendOne({ ...four(caller), confirmedId }))).toBe("confirmation_required");
    expect(await jobsOf(accountId)).toBe(1);
  });

  test("[CNF-02] needs an approval for the same request and key", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    await say(accountId, asked(await sendOne(four(caller))), true);
    const wanted = { name: "other", scope: "write", expiresAt: null, confirmAbove: 20 };
    const other = asCaller((await createKey(testApp.app, accountId, wanted)).secret);
    const rolled = await rollKey(testApp.app, { accountId, keyId }, "1h");
    expect(rolled.key.confirm_above).toBe(20);
    for (const request of [
      four(caller, { prompt: "a mole" }),
      four(caller, { params: { count: 3 } }),
      four(caller, { callback_url: "https://example.com/hook" }),
      four(other),
      four(asCaller(rolled.secret)),
    ])
      expect(codeOf(await sendOne(request))).toBe("confirmation_required");
    expect(await jobsOf(accountId)).toBe(0);
    // A repeat under another name is the same request.
    expect(codeOf(await sendOne(four(caller, {}, "a key of the repeat")))).toBe("job_");
  });

  test("[CNF-02] needs another approval when the price has changed", async () => {
    const { accountId, caller } = await asksAbove(20);
    const first = asked(await sendOne(four(caller)));
    await say(accountId, first, true);
    const models = testApp.app.mongo.db.collection<{ _id: string }>("models");
    await models.updateOne({ _id: "picture" }, { $set: { "pricing.default": 11 } });
    const refused = await sendOne(four(caller));
    expect((refused as AppError).message).toContain("changed from 40 to 44 credits");
    const second = asked(refused);
    expect(second).not.toBe(first);
    // The approved request has expired.
    expect(await refusalOf(say(accountId, first, true))).toMatchObject({ code: "not_found" });
    expect(codeOf(await sendOne({ ...four(caller), confirmedId: first }))).toBe("confirmation_required");
    await say(accountId, second, true);
    expect(codeOf(await sendOne(four(caller)))).toBe("job_");
    expect((await getAccount(testApp.app, accountId)).held).toBe(44);
  });

  test("is refused when the key was revoked after the approval", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    await say(accountId, asked(await sendOne(four(caller))), true);
    await revokeKey(testApp.app, accountId, keyId);
    expect(codeOf(await sendOne(four(caller)))).toBe("invalid_key");
    expect(await jobsOf(accountId)).toBe(0);
  });

  test("is declined until the user approves it after all, or the time is over", async () => {
    const { accountId, caller } = await asksAbove(20);
    const first = asked(await sendOne(four(caller)));
    await say(accountId, first, false);
    expect(codeOf(await sendOne(four(caller)))).toBe("confirmation_declined");
    await say(accountId, first, true);
    await say(accountId, first, false);
    clock.advance(FIFTEEN_MINUTES_MS);
    const second = asked(await sendOne(four(caller)));
    expect(second).not.toBe(first);
    await say(accountId, second, true);
    expect(codeOf(await sendOne(four(caller)))).toBe("job_");
  });

  test("needs another approval after 15 minutes", async () => {
    const { accountId, caller } = await asksAbove(20);
    const first = asked(await sendOne(four(caller)));
    clock.advance(FIFTEEN_MINUTES_MS - 1);
    // An approval is valid for 15 minutes of its own.
    await say(accountId, first, true);
    clock.advance(FIFTEEN_MINUTES_MS);
    expect(asked(await sendOne(four(caller)))).not.toBe(first);
    expect(await refusalOf(say(accountId, first, true))).toMatchObject({ code: "not_found" });
  });

  test("is replayed by its Idempotency-Key as usual", async () => {
    const { accountId, caller } = await asksAbove(20);
    await say(accountId, asked(await sendOne(four(caller, {}, "k"))), true);
    const made = await sendOne(four(caller, {}, "k"));
    expect(codeOf(made)).toBe("job_");
    expect(await sendOne(four(caller, {}, "k"))).toBe(made);
    expect(codeOf(await sendOne(four(caller, { prompt: "a mole" }, "k")))).toBe("idempotency_mismatch");
    expect(await jobsOf(accountId)).toBe(1);
  });

  test("is refused for other reasons first, which uses up no approval", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    await say(accountId, asked(await sendOne(four(caller))), true);
    await changeKey(testApp.app, { accountId, keyId }, { maxCredits: 30 });
    expect(codeOf(await sendOne(four(caller)))).toBe("spend_limit_reached");
    await changeKey(testApp.app, { accountId, keyId }, { maxCredits: null });
    expect(codeOf(await sendOne(four(caller)))).toBe("job_");
  });

  test("can be approved only by its own account", async () => {
    const { caller } = await asksAbove(20);
    const stranger = await createCustomer(testApp.app);
    const approvalId = asked(await sendOne(four(caller)));
    const which = { accountId: stranger.accountId, approvalId: approvalId };
    expect(await refusalOf(getApproval(testApp.app, which))).toMatchObject({ code: "not_found" });
    expect(await refusalOf(answerApproval(testApp.app, which, true))).toMatchObject({
      code: "not_found",
    });
    expect(codeOf(await sendOne(four(caller)))).toBe("confirmation_required");
  });

  test("needs no approval on the website, and an estimate tells a key that it will need one", async () => {
    const { accountId, caller } = await asksAbove(20);
    const person: Caller = { kind: "account", accountId, source: "app" };
    expect(codeOf(await sendOne(four(person)))).toBe("job_");
    const estimate = async (by: Caller, count: number) =>
      (await estimateJob(testApp.app, by, askFor(by, { params: { count } }).request)).needs_confirmation;
    expect([await estimate(caller, 2), await estimate(caller, 3)]).toEqual([false, true]);
    expect(await estimate(person, 3)).toBe(false);
  });
});

test("[CNF-02] a workflow is approved as a whole, at the price of all its steps, and accepted once", async () => {
  const { accountId, caller } = await asksAbove(14);
  // 10 and 5: each alone needs no approval.
  const steps = [picture("a"), tune("b")];
  const send = async (prompt = "a sea") => {
    const request = { steps: [{ ...steps[0], prompt }, steps[1]] } as WorkflowRequest;
    return orAsk(testApp.app, async () => (await run(testApp.app, caller, request)).workflow._id).catch(
      (error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      },
    );
  };
  const before = await getAccount(testApp.app, accountId);
  const refused = await send();
  const approvalId = asked(refused);
  expect((refused as AppError).message).toContain("15 credits on a workflow of 2 jobs");
  expect(await getApproval(testApp.app, { accountId, approvalId })).toMatchObject({
    credits: 15,
    jobs: [{ prompt: "a sea" }, { model_slug: "tune" }],
  });
  expect(await getAccount(testApp.app, accountId)).toEqual(before);
  await say(accountId, approvalId, true);
  expect(codeOf(await send("a lake"))).toBe("confirmation_required");
  const all = await Promise.all([send(), send()]);
  expect(all.map(codeOf).sort()).toEqual(["confirmation_required", "wfl_"]);
  expect(await jobsOf(accountId)).toBe(2);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("deleting an account removes its approvals with their prompts", async () => {
  const { accountId, caller } = await asksAbove(20);
  asked(await sendOne(four(caller)));
  const questions = testApp.app.mongo.db.collection("confirmations");
  expect(await questions.countDocuments({ account_id: accountId })).toBe(1);
  await deleteAccount(testApp.app, accountId, (await getAccount(testApp.app, accountId)).email);
  expect(await questions.countDocuments({ account_id: accountId })).toBe(0);
});

test("[CNF-04] a key without a threshold causes no extra reads or writes", async () => {
  const { caller } = await createCustomer(testApp.app);
  const { caller: asking } = await asksAbove(20);
  const touched: string[] = [];
  const { app, close } = await watchCommands(testApp, ({ commandName, command }) => {
    if (Object.values(command).includes("confirmations")) touched.push(commandName);
  });
  await acceptJobs(app, [four(caller)]);
  expect(touched).toEqual([]);
  await acceptJobs(app, [four(asking)]);
  expect(touched).toEqual(["find"]);
  await close();
});

test.each([-1, 1.5, 1_000_000_001])("a threshold of %d is refused", async (confirmAbove) => {
  const { accountId } = await createCustomer(testApp.app);
  const wanted = { name: "x", scope: "write", expiresAt: null, confirmAbove };
  expect(await refusalOf(createKey(testApp.app, accountId, wanted))).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "confirm_above" }],
  });
});
