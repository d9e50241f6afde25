// The table of an operator's bulk actions in every job state, with the reasons of skipped jobs.
import { expect, test } from "vitest";
import { type JobAct, WHY_LEFT_WORDS, whyLeft } from "../../../../core/studio/jobs/act-rules.ts";
import { at, jobDoc } from "../../../fixtures/docs.ts";

const STOPS = { stopsWhenAborted: true };

const TABLE: readonly [act: JobAct, what: string, job: ReturnType<typeof jobDoc>, why: string | undefined][] =
  [
    ["cancel", "waits", jobDoc("reserved"), undefined],
    ["cancel", "runs", jobDoc("running"), undefined],
    ["cancel", "stops", jobDoc("running", { cancel_requested_at: at(0) }), "cancelling"],
    ["cancel", "was made", jobDoc("completed"), "ended"],
    ["cancel", "failed", jobDoc("failed"), "ended"],
    ["cancel", "was cancelled", jobDoc("cancelled"), "ended"],
    ["refund", "waits", jobDoc("reserved"), "waits"],
    ["refund", "runs", jobDoc("running"), "runs"],
    ["refund", "was made", jobDoc("completed"), undefined],
    ["refund", "was made and refunded", jobDoc("completed", { refunded_at: at(0) }), "refunded"],
    ["refund", "cost nothing", jobDoc("completed", { credits: 0 }), "free"],
    ["refund", "failed", jobDoc("failed"), "refunded_automatically"],
    ["refund", "was cancelled", jobDoc("cancelled"), "refunded_automatically"],
    ["retry", "waits", jobDoc("reserved"), "goes_on"],
    ["retry", "runs", jobDoc("running"), "goes_on"],
    ["retry", "was made", jobDoc("completed"), "made"],
    ["retry", "failed", jobDoc("failed"), undefined],
    ["retry", "was cancelled", jobDoc("cancelled"), undefined],
  ];

test.each(TABLE)("%s of one that %s", (act, _what, job, why) => {
  expect(whyLeft(act, job, { account: "active", provider: STOPS })).toBe(why);
  expect(whyLeft(act, job, { account: "suspended", provider: STOPS })).toBe(why);
  // Cancelling moves no captured credits.
  const deleted = act === "cancel" ? why : "account_deleted";
  expect(whyLeft(act, job, { account: "deleted", provider: STOPS })).toBe(deleted);
  if (why !== undefined) expect(WHY_LEFT_WORDS).toHaveProperty(why);
});

test("a job that runs at a provider without cancellation is skipped", () => {
  const running = jobDoc("running");
  for (const provider of [undefined, {}])
    expect(whyLeft("cancel", running, { account: "active", provider })).toBe("cannot_stop");
});
