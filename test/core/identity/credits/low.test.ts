// The account event credits.low: one mail when the available credits fall below the owner's threshold, and the next one after they have
// recovered.
import { beforeEach, expect, test } from "vitest";
import { setLowCredits } from "../../../../core/identity/accounts/change-settings.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { askFor, cancelJob } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { giveCredits } from "../../../support/credits.ts";
import { refusalOf } from "../../../support/refusal.ts";

let accountId: string;
let caller: Caller;
const testApp = useTestApp();

beforeEach(async () => {
  await testApp.empty();
  ({ accountId, caller } = await createCustomer(testApp.app, { credits: 100 }));
});

/** A picture costs 10. Returns the job's id, or "" when refused. */
async function generate(): Promise<string> {
  const [result] = await acceptJobs(testApp.app, [askFor(caller)]);
  return result?.status === "fulfilled" ? result.value.job._id : "";
}

const mails = async () =>
  (await testApp.app.mongo.db.collection("mails").find().sort({ _id: 1 }).toArray()).map(
    ({ kind, account_id, subject }) => ({ kind, account_id, subject: String(subject) }),
  );
const told = (subject: string) => ({ kind: "credits.low", account_id: accountId, subject });

test("[LED-15] a low-credits mail is queued with the job that crosses the threshold, and not with the next one", async () => {
  await setLowCredits(testApp.app, accountId, 85);
  await generate();
  expect(await mails()).toEqual([]);
  await generate();
  expect(await mails()).toEqual([told("You have 80 credits left")]);
  await generate();
  expect(await mails()).toHaveLength(1);
});

test("a second mail is queued when credits recover and fall again", async () => {
  await setLowCredits(testApp.app, accountId, 95);
  const job = await generate();
  await cancelJob(testApp.app, accountId, job);
  await generate();
  expect(await mails()).toHaveLength(2);
  // A grant that stays below the threshold changes nothing.
  await giveCredits(testApp.app, accountId, 1);
  await generate();
  expect(await mails()).toHaveLength(2);
  await giveCredits(testApp.app, accountId, 14);
  await generate();
  expect(await mails()).toHaveLength(3);
});

test("no mail is queued when a threshold is set above the current credits", async () => {
  await setLowCredits(testApp.app, accountId, 500);
  await generate();
  expect(await mails()).toEqual([]);
});

test("a threshold can be removed, and must be a whole number", async () => {
  await setLowCredits(testApp.app, accountId, 95);
  await setLowCredits(testApp.app, accountId, undefined);
  await generate();
  expect(await mails()).toEqual([]);
  for (const below of [0, -1, 1.5, 2_000_000_000])
    expect(await refusalOf(setLowCredits(testApp.app, accountId, below))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "below" }],
    });
});

test("a refused job queues no mail", async () => {
  const { accountId: poor, caller: asking } = await createCustomer(testApp.app, { credits: 5 });
  await setLowCredits(testApp.app, poor, 5);
  await acceptJobs(testApp.app, [askFor(asking)]);
  expect(await mails()).toEqual([]);
});
