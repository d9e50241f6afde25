// A customer's key with an approval threshold, its requests, and the answers of the user.
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { answerApproval } from "../../../../core/identity/approvals/answer.ts";
import { orAsk } from "../../../../core/identity/approvals/ask.ts";
import type { ApprovalDoc } from "../../../../core/identity/approvals/store.ts";
import { type AcceptedJob, acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { JobRequest } from "../../../../proto/resources/job.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, createTestApp, type TestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";

/** Far in the future, because MongoDB removes expired documents by the real time. */
export const BEGIN = "2099-01-30T12:00:00.000Z";
export const FIFTEEN_MINUTES_MS = 15 * 60_000;
export const HOUR_MS = 60 * 60_000;

export let clock = createFakeClock(BEGIN);
export let testApp: TestApp;

/** Starts an app for the tests of a file, which is empty before each. */
export function useApp(): void {
  beforeAll(async () => {
    testApp = await createTestApp({ clock: { now: () => clock.now() } });
  });
  afterAll(() => testApp.close());
  beforeEach(async () => {
    clock = createFakeClock(BEGIN);
    await testApp.empty();
  });
}

export const asCaller = (secret: string): Caller => ({
  kind: "key",
  keySha256: hashApiKey(secret),
  source: "api",
});

export type Asking = { accountId: string; caller: Caller; keyId: string };

/** A customer with a key that needs approval above this many credits; a picture costs 10, four of them 40. */
export async function asksAbove(confirmAbove: number): Promise<Asking> {
  const { accountId } = await createCustomer(testApp.app, { credits: 1_000 });
  const wanted = { name: "agent", scope: "write", expiresAt: null, confirmAbove };
  const { secret, key } = await createKey(testApp.app, accountId, wanted);
  return { accountId, caller: asCaller(secret), keyId: key.key_id };
}

/** Accepts requests together. Returns the id of each job, or the refusal. */
export async function send(...requests: AcceptRequest[]): Promise<(string | AppError)[]> {
  return answersOf(await acceptJobs(testApp.app, requests));
}

export async function answersOf(
  results: readonly PromiseSettledResult<AcceptedJob>[],
): Promise<(string | AppError)[]> {
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

export async function sendOne(request: AcceptRequest): Promise<string | AppError> {
  const [answer] = await send(request);
  if (answer === undefined) throw new Error("one is asked, and one is answered");
  return answer;
}

/** The approval's id in the refusal. */
export function asked(answer: string | AppError): string {
  if (typeof answer === "string" || answer.code !== "confirmation_required")
    throw new Error(`no approval was requested: ${typeof answer === "string" ? answer : answer.code}`);
  return answer.facts?.["confirmation_id"] ?? "";
}

export function codeOf(answer: string | AppError): string {
  return typeof answer === "string" ? answer.slice(0, 4) : answer.code;
}

/** A request that costs 40. */
export function four(
  caller: Caller,
  change: Partial<JobRequest> = {},
  key: string | null = null,
): AcceptRequest {
  return askFor(caller, { params: { count: 4 }, ...change }, key);
}

export function say(
  accountId: string,
  approvalId: string,
  yes: boolean,
  raiseTo?: number,
): Promise<ApprovalDoc> {
  return answerApproval(testApp.app, { accountId, approvalId }, yes, raiseTo);
}

export function jobsOf(accountId: string): Promise<number> {
  return testApp.app.mongo.db.collection("jobs").countDocuments({ account_id: accountId });
}
