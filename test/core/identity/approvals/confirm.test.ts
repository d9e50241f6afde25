// The user's approval of a request above a key's threshold: when it is needed, how long it is valid, and that no credits are held without
// it.
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { capStates, refuseCaps, spendAt } from "../../../../core/identity/accounts/cap-rules.ts";
import { changeKey } from "../../../../core/identity/accounts/change-key.ts";
import { createKey, provisionMemberKey } from "../../../../core/identity/accounts/create-key.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { toApiKey } from "../../../../core/identity/accounts/resource.ts";
import { revokeKey } from "../../../../core/identity/accounts/revoke-key.ts";
import { rollKey } from "../../../../core/identity/accounts/roll-key.ts";
import { type Identity, limitOf } from "../../../../core/identity/accounts/rules.ts";
import { setTimeZone } from "../../../../core/identity/accounts/set-time-zone.ts";
import type { KeyDoc } from "../../../../core/identity/accounts/store.ts";
import { answerApproval, getApproval, listOthers } from "../../../../core/identity/approvals/answer.ts";
import { orAsk } from "../../../../core/identity/approvals/ask.ts";
import { needsApproval, refuseUnconfirmed } from "../../../../core/identity/approvals/rules.ts";
import type { ApprovalDoc } from "../../../../core/identity/approvals/store.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { startApproved } from "../../../../core/studio/jobs/start-approved.ts";
import { estimateJob } from "../../../../core/studio/jobs/estimate.ts";
import { deleteAccount } from "../../../../core/operations/privacy/delete-account.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { Caller } from "../../../../proto/caller.ts";
import type { WorkflowRequest } from "../../../../proto/resources/workflow.ts";
import type { JobRequest } from "../../../../proto/resources/job.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { mailHtml } from "../../../../runtime/mail-html.ts";
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
const HOUR_MS = 60 * 60_000;

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
const say = (accountId: string, approvalId: string, yes: boolean, raiseTo?: number) =>
  answerApproval(testApp.app, { accountId, approvalId }, yes, raiseTo);
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
    const mailed = { confirmation_id: approvalId, until: new Date("2099-01-30T12:15:00.000Z") };
    expect(await getAccount(testApp.app, accountId)).toEqual({ ...before, approval_mail: mailed });
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

describe("a job that an approval on the website starts", () => {
  const approve = async (accountId: string, approvalId: string) =>
    startApproved(testApp.app, await say(accountId, approvalId, true), async (one) => {
      const [result] = await acceptJobs(testApp.app, [one]);
      if (result?.status !== "fulfilled") throw result?.reason;
      return result.value;
    });

  test("[CNF-07] is made once, however often the user presses, and the program's next request gets it", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    const approvalId = asked(await sendOne(four(caller, {}, "first")));
    const all = await Promise.all([1, 2, 3].map(() => approve(accountId, approvalId)));
    const jobId = all[0]?.job_id ?? "";
    for (const one of all) expect(one).toMatchObject({ state: "used", job_id: jobId });
    const job = await testApp.app.mongo.db.collection<{ _id: string }>("jobs").findOne({ _id: jobId });
    expect(job).toMatchObject({ account_id: accountId, key_id: keyId, source: "api", credits: 40 });
    for (const key of ["first", "first"]) expect(await sendOne(four(caller, {}, key))).toBe(jobId);
    expect(asked(await sendOne(four(caller)))).not.toBe(approvalId);
    expect(await jobsOf(accountId)).toBe(1);
    expect((await getAccount(testApp.app, accountId)).held).toBe(40);
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test("[CNF-07] is refused like its program's request, and the approval then stands", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    const approvalId = asked(await sendOne(four(caller)));
    await changeKey(testApp.app, { accountId, keyId }, { maxCredits: 30 });
    expect(await refusalOf(approve(accountId, approvalId))).toMatchObject({ code: "spend_limit_reached" });
    expect((await getApproval(testApp.app, { accountId, approvalId })).state).toBe("yes");
    // Whatever the key's threshold is by now, the approval is used up.
    await changeKey(testApp.app, { accountId, keyId }, { maxCredits: null, confirmAbove: null });
    expect((await approve(accountId, approvalId)).state).toBe("used");
    expect((await approve(accountId, approvalId)).state).toBe("used");
    expect(await jobsOf(accountId)).toBe(1);
  });

  test("[CNF-07] is not made at another price: the user is asked for that one", async () => {
    const { accountId, caller } = await asksAbove(20);
    const approvalId = asked(await sendOne(four(caller)));
    const models = testApp.app.mongo.db.collection<{ _id: string }>("models");
    await models.updateOne({ _id: "picture" }, { $set: { "pricing.default": 11 } });
    const refused = await approve(accountId, approvalId).catch((error: AppError) => error);
    const another = asked(refused as AppError);
    expect(another).not.toBe(approvalId);
    await approve(accountId, another);
    expect((await getAccount(testApp.app, accountId)).held).toBe(44);
    expect(codeOf(await sendOne(four(caller)))).toBe("job_");
    expect(await jobsOf(accountId)).toBe(1);
  });

  test("[CNF-07] no order of answers and repeats makes two jobs of an approval, or returns one twice", async () => {
    const steps = fc.array(fc.constantFrom("repeat", "keyed", "yes", "no", "both"), {
      minLength: 2,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const { accountId, caller } = await asksAbove(20);
        let approvalId = asked(await sendOne(four(caller)));
        const approved = new Set<string>();
        const got: string[] = [];
        const yes = async () => {
          approved.add(approvalId);
          // Another approval request may have replaced a used one at the same time.
          const refused = await approve(accountId, approvalId).catch((error: AppError) => error.code);
          if (typeof refused === "string") expect(refused).toBe("not_found");
        };
        const repeat = async (key: string | null = null) => {
          const answer = await sendOne(four(caller, {}, key));
          if (typeof answer !== "string") {
            if (answer.code === "confirmation_required") approvalId = asked(answer);
          } else if (key === null) got.push(answer);
        };
        const keyed = () => repeat("key");
        const no = () => say(accountId, approvalId, false);
        const run = { yes, no, repeat, keyed, both: () => Promise.all([yes(), repeat()]) };
        for (const step of history) await run[step]();
        const made = await jobsOf(accountId);
        expect(made).toBeLessThanOrEqual(approved.size);
        expect(new Set(got).size).toBe(got.length);
        expect((await getAccount(testApp.app, accountId)).held).toBe(40 * made);
      }),
      { numRuns: 8 },
    );
    expect(await auditFindings(testApp.app)).toEqual([]);
  });
});

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

describe("the mail about a request that waits", () => {
  const mails = () =>
    testApp.app.mongo.db.collection("mails").find({ kind: "key.approval" }).sort({ _id: 1 }).toArray();
  const prompts = (caller: Caller, many: number) =>
    Array.from({ length: many }, (_, n) =>
      four(caller, { prompt: `a mole with ${clock.now().getTime()} ${n}` }),
    );

  test("[CNF-05] says what is asked, for how much and until when, with one button", async () => {
    const { accountId, caller } = await asksAbove(20);
    await setTimeZone(testApp.app, accountId, "Europe/Berlin");
    const approvalId = asked(await sendOne(four(caller)));
    const url = `http://localhost:8080/account/confirm/${approvalId}`;
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    const { email: to } = await getAccount(testApp.app, accountId);
    expect(mail).toMatchObject({
      to,
      subject: "Your key agent asks to spend 40 credits",
      account_id: accountId,
    });
    const text = String(mail?.["text"]);
    for (const shown of ['image with picture: "a pier"', "Credits  40", "30 January 2099 at 13:15 CET", url])
      expect(text).toContain(shown);
    const page = mailHtml({ subject: "", text, baseUrl: testApp.app.baseUrl });
    expect(page.split("<a ").length).toBe(2);
    expect(page).toContain(`<a href="${url}"`);
  });

  test("[CNF-05] is sent once for all requests that wait, also for those at the same time", async () => {
    const { accountId, caller } = await asksAbove(20);
    await Promise.all(prompts(caller, 6).map((one) => send(one)));
    await send(...prompts(caller, 3));
    const [first] = await mails();
    expect(await mails()).toHaveLength(1);
    const approvalId = String(first?.["ref"]);
    expect(await listOthers(testApp.app, { accountId, approvalId })).toHaveLength(5);
    // Another one was answered, and the mailed one still waits.
    const [other] = await listOthers(testApp.app, { accountId, approvalId });
    await say(accountId, other?.confirmation_id ?? "", true);
    clock.advance(FIFTEEN_MINUTES_MS - 1);
    await send(...prompts(caller, 2));
    expect(await mails()).toHaveLength(1);
    await say(accountId, approvalId, false);
    await send(...prompts(caller, 2));
    expect(await mails()).toHaveLength(1);
    clock.advance(1);
    await send(...prompts(caller, 2));
    expect(await mails()).toHaveLength(2);
    clock.advance(FIFTEEN_MINUTES_MS);
    await send(...prompts(caller, 2));
    expect(await mails()).toHaveLength(3);
  });

  test("[CNF-05] is sent again when the price of the mailed request has changed", async () => {
    const { caller } = await asksAbove(20);
    asked(await sendOne(four(caller)));
    const models = testApp.app.mongo.db.collection<{ _id: string }>("models");
    await models.updateOne({ _id: "picture" }, { $set: { "pricing.default": 11 } });
    asked(await sendOne(four(caller)));
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      "Your key agent asks to spend 40 credits",
      "Your key agent asks to spend 44 credits",
    ]);
  });

  test("[CNF-05] is not sent for a client that asks the user itself", async () => {
    const { caller } = await asksAbove(20);
    const [result] = await acceptJobs(testApp.app, [four(caller)]);
    const refusing = async () => {
      throw result?.status === "rejected" ? result.reason : new Error("it was accepted");
    };
    expect(await refusalOf(orAsk(testApp.app, refusing, ""))).toMatchObject({
      code: "confirmation_required",
    });
    expect(await mails()).toEqual([]);
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
  await say(accountId, approvalId, true);
  expect(await getAccount(testApp.app, accountId)).toEqual(before);
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
