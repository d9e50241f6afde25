// The trial of Pro: once for each mailbox, two weeks, without its own credits. Keys are refused when it ends.
import { expect, test } from "vitest";
import { authenticate } from "../../../../core/identity/accounts/authenticate.ts";
import { createAccount } from "../../../../core/identity/accounts/create-account.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { setPlan } from "../../../../core/identity/accounts/set-terms.ts";
import { describeTrial, startTrial } from "../../../../core/identity/accounts/start-trial.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import type { MailDoc } from "../../../../core/kernel/mail/store.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";

const DAY_MS = 24 * 3_600_000;
const clock = createFakeClock();
const testApp = useTestApp({ clock });

const open = async (email: string, plan = "free") =>
  (await createAccount(testApp.app, { email, name: "Ada", plan }))._id;
const stateOf = async (id: string) => (await describeTrial(testApp.app, id)).state;
const key = { name: "first", scope: "write", expiresAt: null };

test("a trial enables the API for two weeks, sends two mails, moves no credits, and ends without a write", async () => {
  const { app } = testApp;
  const id = await open("ada@example.com");
  const before = await getAccount(app, id);
  await expect(createKey(app, id, key)).rejects.toMatchObject({ code: "plan_excludes_api" });
  expect(await stateOf(id)).toBe("offered");
  const at = clock.now();
  const until = new Date(at.getTime() + 14 * DAY_MS);
  await startTrial(app, id);
  clock.advance(1000);
  // A repeat changes nothing.
  const again = await startTrial(app, id);
  expect(again.trial).toEqual({ plan: "pro", started_at: at, until });
  const after = await getAccount(app, id);
  const { balance, held, plan, ledger_seq } = before;
  expect(after).toMatchObject({ balance, held, plan, ledger_seq });
  const { secret } = await createKey(app, id, key);
  const call = { kind: "key", keySha256: hashApiKey(secret), source: "api" } as const;
  await expect(authenticate(app, call, "write")).resolves.toMatchObject({
    plan: { concurrency: 5, api: true },
  });
  const mails = await app.mongo.db
    .collection<MailDoc>("mails")
    .find({ account_id: id, kind: /^trial/ })
    .toArray();
  const due = mails.map(({ kind, work }) => [kind, work?.due_at]);
  expect(due.toSorted()).toEqual([
    ["trial.ending", new Date(until.getTime() - 2 * DAY_MS)],
    ["trial.started", at],
  ]);

  clock.advance(until.getTime() - clock.now().getTime() - 1);
  await expect(authenticate(app, call, "write")).resolves.toBeDefined();
  clock.advance(1);
  await expect(authenticate(app, call, "write")).rejects.toMatchObject({
    code: "plan_excludes_api",
    message: "The trial has ended. The Free plan does not include the generation API.",
  });
  expect(await stateOf(id)).toBe("ended");
  await expect(startTrial(app, id)).rejects.toMatchObject({ code: "trial_unavailable" });
  expect(await auditFindings(app)).toEqual([]);
});

test("a mailbox has one trial for all its spellings and accounts, and a change of address brings no second one", async () => {
  const { app } = testApp;
  const [first, tagged, studio] = [
    await open("b@example.com"),
    await open("B+x@example.com"),
    await open("s@example.com", "studio"),
  ];
  const results = await Promise.allSettled([startTrial(app, first), startTrial(app, tagged)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [winner, loser] = results[0]?.status === "fulfilled" ? [first, tagged] : [tagged, first];
  expect([await stateOf(winner), await stateOf(loser), await stateOf(studio)]).toEqual([
    "running",
    "used",
    "included",
  ]);
  await expect(startTrial(app, studio)).rejects.toMatchObject({ code: "trial_unavailable" });
  clock.advance(15 * DAY_MS);
  await accounts(app.mongo.db).updateOne({ _id: winner }, { $set: { email: "elsewhere@example.com" } });
  await expect(startTrial(app, winner)).rejects.toMatchObject({ code: "trial_unavailable" });
});

test("a trial is for the free plan only", async () => {
  const id = await open("starter@example.com", "starter");
  expect(await stateOf(id)).toBe("paid");
  await expect(startTrial(testApp.app, id)).rejects.toMatchObject({ code: "trial_unavailable" });
  await setPlan(testApp.app, id, "free");
  expect(await stateOf(id)).toBe("offered");
});

test("a plan above the trial's keeps its own rights during a trial", async () => {
  const { app } = testApp;
  const id = await open("up@example.com");
  await startTrial(app, id);
  await setPlan(app, id, "studio");
  const { secret } = await createKey(app, id, key);
  const call = { kind: "key", keySha256: hashApiKey(secret), source: "api" } as const;
  const studio = (await app.plans()).get("studio");
  await expect(authenticate(app, call, "read")).resolves.toMatchObject({
    plan: { concurrency: studio?.concurrency },
  });
});

test("the audit reports a trial that lasts too long, and one without a record for its mailbox", async () => {
  const { app } = testApp;
  const id = await open("wrong@example.com");
  await startTrial(app, id);
  const until = new Date(clock.now().getTime() + 30 * DAY_MS);
  await accounts(app.mongo.db).updateOne({ _id: id }, { $set: { "trial.until": until } });
  await app.mongo.db.collection("mailboxes").updateMany({ "trial.account_id": id }, { $unset: { trial: 1 } });
  expect((await auditFindings(app)).filter((what) => what.startsWith("trial"))).toEqual([
    expect.stringContaining("trial: lasts from"),
    "trial: no mailbox knows of it, so that it could be started again",
  ]);
});
