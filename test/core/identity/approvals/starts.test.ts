// The job or workflow that an approval on the website starts: once, whatever its program and the user do in the meantime.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeKey, revokeKey } from "../../../../core/identity/accounts/change-key.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { getApproval } from "../../../../core/identity/approvals/answer.ts";
import { orAsk } from "../../../../core/identity/approvals/ask.ts";
import type { ApprovalDoc } from "../../../../core/identity/approvals/store.ts";
import { type AcceptedJob, acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { startApproved } from "../../../../core/studio/workflows/start-approved.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { WorkflowRequest } from "../../../../proto/resources/workflow.ts";
import { auditFindings } from "../../../support/audit.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { picture, run, tune } from "../../studio/workflows/fixtures.ts";
import {
  answersOf,
  asked,
  asksAbove,
  clock,
  codeOf,
  four,
  HOUR_MS,
  jobsOf,
  say,
  sendOne,
  testApp,
  useApp,
} from "./fixtures.ts";

useApp();

describe("a job that an approval on the website starts", () => {
  /** Together with other requests. */
  const startWith = async (answered: ApprovalDoc, ...others: AcceptRequest[]) => {
    let rest: PromiseSettledResult<AcceptedJob>[] = [];
    const started = await startApproved(testApp.app, answered, {
      job: async (one) => {
        const [own, ...more] = await acceptJobs(testApp.app, [one, ...others]);
        rest = more;
        if (own?.status !== "fulfilled") throw own?.reason;
        return own.value;
      },
      workflow: ({ caller, request, idempotencyKey, startsBy }) =>
        run(testApp.app, caller, request, idempotencyKey, startsBy),
    });
    return { started, answers: await answersOf(rest) };
  };
  const start = async (answered: ApprovalDoc) => (await startWith(answered)).started;
  const approveWith = async (accountId: string, approvalId: string, ...others: AcceptRequest[]) =>
    startWith(await say(accountId, approvalId, true), ...others);
  const approve = async (accountId: string, approvalId: string) =>
    (await approveWith(accountId, approvalId)).started;

  const WORKFLOW: WorkflowRequest = { steps: [picture("a", { params: { count: 4 } }), tune("b")] };
  /** A request above 20 credits, its price, its number of jobs, where it is stored, and how many were accepted. */
  const WAYS = {
    job: {
      price: 40,
      jobs: 1,
      collection: "jobs",
      send: (caller: Caller, key: string | null = null) => sendOne(four(caller, {}, key)),
      made: jobsOf,
    },
    workflow: {
      price: 45,
      jobs: 2,
      collection: "workflows",
      send: (caller: Caller, key: string | null = null): Promise<string | AppError> =>
        orAsk(testApp.app, async () => (await run(testApp.app, caller, WORKFLOW, key)).workflow._id).catch(
          (error: unknown) => {
            if (error instanceof AppError) return error;
            throw error;
          },
        ),
      made: (accountId: string) =>
        testApp.app.mongo.db.collection("workflows").countDocuments({ account_id: accountId }),
    },
  };

  test.each(["job", "workflow"] as const)(
    "[CNF-07] may be a %s: it is made once, however often the user presses, and the program's next request gets it",
    async (kind) => {
      const { price, send, made, jobs, collection } = WAYS[kind];
      const { accountId, caller, keyId } = await asksAbove(20);
      const approvalId = asked(await send(caller, "first"));
      const all = await Promise.all([1, 2, 3].map(() => approve(accountId, approvalId)));
      const id = all[0]?.[`${kind}_id`] ?? "";
      for (const one of all) expect(one).toMatchObject({ state: "used", [`${kind}_id`]: id });
      const stored = testApp.app.mongo.db.collection<{ _id: string }>(collection);
      expect(await stored.findOne({ _id: id })).toMatchObject({
        account_id: accountId,
        key_id: keyId,
        source: "api",
      });
      for (const key of ["first", "first"]) expect(await send(caller, key)).toBe(id);
      expect(asked(await send(caller))).not.toBe(approvalId);
      expect([await made(accountId), await jobsOf(accountId)]).toEqual([1, jobs]);
      expect((await getAccount(testApp.app, accountId)).held).toBe(price);
      expect(await auditFindings(testApp.app)).toEqual([]);
    },
  );

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

  test("[CNF-07] is not made if the key was revoked meanwhile, and the user is told that", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    const approvalId = asked(await sendOne(four(caller)));
    await revokeKey(testApp.app, accountId, keyId);
    const refused = await refusalOf(approve(accountId, approvalId));
    expect([refused.code, refused.message]).toEqual([
      "not_found",
      "The key of this request was revoked or has expired, so nothing was started.",
    ]);
    expect(await jobsOf(accountId)).toBe(0);
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

  test("[CNF-07] is returned to a repeat that is accepted in the same batch", async () => {
    const { accountId, caller } = await asksAbove(20);
    const approvalId = asked(await sendOne(four(caller)));
    const repeats = [four(caller, {}, "repeat"), four(caller)];
    const { started, answers } = await approveWith(accountId, approvalId, ...repeats);
    expect(started.state).toBe("used");
    expect(answers[0]).toBe(started.job_id);
    expect(asked(answers[1] ?? "")).not.toBe(approvalId);
    expect(await jobsOf(accountId)).toBe(1);
  });

  test("[CNF-07] is returned to a repeat of the next day, though the key no longer has to ask", async () => {
    const { accountId, caller, keyId } = await asksAbove(20);
    const started = await approve(accountId, asked(await sendOne(four(caller, {}, "same"))));
    await changeKey(testApp.app, { accountId, keyId }, { confirmAbove: null });
    clock.advance(23 * HOUR_MS);
    expect(await sendOne(four(caller, {}, "same"))).toBe(started.job_id);
    expect(await jobsOf(accountId)).toBe(1);
  });

  test("[CNF-07] is not made if the user declines in another window at this moment", async () => {
    const { accountId, caller } = await asksAbove(20);
    const approvalId = asked(await sendOne(four(caller)));
    const answered = await say(accountId, approvalId, true);
    await say(accountId, approvalId, false);
    expect((await start(answered)).state).toBe("no");
    expect(await jobsOf(accountId)).toBe(0);
  });

  test.each([
    ["job", ["batch"]],
    ["workflow", []],
  ] as const)(
    "[CNF-07] no order of answers, repeats and thresholds makes one %s twice, or returns it twice",
    async (kind, more) => {
      const { price, send, made: madeFor } = WAYS[kind];
      const steps = fc.array(
        fc.constantFrom("repeat", "keyed", "yes", "no", "both", "lift", "raise", "restore", ...more),
        { minLength: 2, maxLength: 8 },
      );
      await fc.assert(
        fc.asyncProperty(steps, async (history) => {
          const { accountId, caller, keyId } = await asksAbove(20);
          let approvalId = asked(await send(caller));
          const got = new Set<string>();
          /** The program was refused, and has got nothing since. */
          let isWaiting = true;
          const note = (answer: string | AppError, key: string | null = null) => {
            if (typeof answer !== "string") {
              isWaiting = true;
              if (answer.code === "confirmation_required") approvalId = asked(answer);
            } else if (key === null || !got.has(answer)) {
              expect(got).not.toContain(answer);
              got.add(answer);
              isWaiting = false;
            }
          };
          // Another approval request may have replaced a used one at the same time.
          const gone = (error: AppError) => {
            expect(error.code).toBe("not_found");
          };
          const yes = () => approve(accountId, approvalId).catch(gone);
          const repeat = async (key: string | null = null) => note(await send(caller, key), key);
          const batch = async () => {
            const both = await approveWith(accountId, approvalId, four(caller)).catch(gone);
            for (const answer of both?.answers ?? []) note(answer);
          };
          const threshold = (confirmAbove: number | null) => () =>
            changeKey(testApp.app, { accountId, keyId }, { confirmAbove });
          const run = {
            yes,
            no: () => say(accountId, approvalId, false).catch(gone),
            repeat,
            keyed: () => repeat("key"),
            both: () => Promise.all([yes(), repeat()]),
            batch,
            lift: threshold(null),
            raise: threshold(100),
            restore: threshold(20),
          };
          for (const step of history) await run[step]();
          const made = await madeFor(accountId);
          // What the program has not got was started for a request that still waits.
          expect(made - got.size).toBeLessThanOrEqual(isWaiting ? 1 : 0);
          expect((await getAccount(testApp.app, accountId)).held).toBe(price * made);
        }),
        {
          numRuns: 16,
          // The threshold changes between the approval and the repeat that gets its job, or admits the repeat before.
          examples: [
            [["yes", "lift", "keyed", "repeat"]],
            [["yes", "raise", "keyed", "repeat"]],
            [["lift", "repeat", "yes"]],
            [["raise", "repeat", "yes"]],
          ],
        },
      );
      expect(await auditFindings(testApp.app)).toEqual([]);
    },
  );
});
