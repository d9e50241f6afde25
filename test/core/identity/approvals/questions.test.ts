// A request above a key's threshold: who is asked, by mail too, and that no credits are held until the user approves.
import { describe, expect, test } from "vitest";
import { changeKey, rollKey } from "../../../../core/identity/accounts/change-key.ts";
import { setTimeZone } from "../../../../core/identity/accounts/change-settings.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { getApproval, listOthers } from "../../../../core/identity/approvals/answer.ts";
import { orAsk } from "../../../../core/identity/approvals/ask.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { estimateJob } from "../../../../core/studio/jobs/estimate.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { WorkflowRequest } from "../../../../proto/resources/workflow.ts";
import { mailHtml } from "../../../../runtime/mail.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { watchCommands } from "../../../support/watch-commands.ts";
import { picture, run, tune } from "../../studio/workflows/fixtures.ts";
import {
  asCaller,
  asked,
  asksAbove,
  clock,
  codeOf,
  FIFTEEN_MINUTES_MS,
  four,
  jobsOf,
  say,
  send,
  sendOne,
  testApp,
  useApp,
} from "./fixtures.ts";

useApp();

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

  test("[CNF-01] says above how many credits a user has to approve", async () => {
    const messages = [];
    for (const above of [1, 20]) {
      const { caller } = await asksAbove(above);
      messages.push(((await sendOne(four(caller))) as AppError).message);
    }
    expect(messages).toEqual([
      expect.stringContaining("Above 1 credit a user has to approve."),
      expect.stringContaining("Above 20 credits a user has to approve."),
    ]);
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
    expect(mail).toMatchObject({ not_after: new Date("2099-01-30T12:15:00.000Z") });
    expect(more).toEqual([]);
    const { email: to } = await getAccount(testApp.app, accountId);
    expect(mail).toMatchObject({
      to,
      subject: "Your key agent asks to spend 40 credits",
      account_id: accountId,
    });
    const text = String(mail?.["text"]);
    for (const shown of ['image with Picture: "a pier"', "Credits  40", "30 January 2099 at 13:15 CET", url])
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
