// The result of a cancellation request in every state and for every kind of provider, and how it is shown.
import { describe, expect, test } from "vitest";
import { type JobAct, WHY_LEFT_WORDS, whyLeft } from "../../../../core/studio/jobs/act-rules.ts";
import {
  decideCancelling,
  isCancellable,
  requestCancel,
  type Stopping,
} from "../../../../core/studio/jobs/cancel-rules.ts";
import { changedJob, shownState, toJobEvents } from "../../../../core/studio/jobs/rules.ts";
import { AppError } from "../../../../proto/codes.ts";
import { at, jobDoc, NOW } from "../../../fixtures/docs.ts";

const PROVIDERS = {
  "stops when aborted": { stopsWhenAborted: true },
  "can be asked": { cancel: async () => {} },
  "cannot stop": {},
  "says that it cannot": { stopsWhenAborted: false },
  "is gone": undefined,
} satisfies Record<string, Stopping>;
type ProviderKind = keyof typeof PROVIDERS;
const KINDS = Object.keys(PROVIDERS) as ProviderKind[];

describe("a cancellation request", () => {
  test.each(KINDS)("a cancellation request of a waiting job ends it, where its provider %s", (kind) => {
    expect(decideCancelling(jobDoc("reserved"), PROVIDERS[kind])).toBe("release");
  });

  test.each(KINDS)("changes nothing when repeated, where the provider %s", (kind) => {
    expect(decideCancelling(jobDoc("cancelled"), PROVIDERS[kind])).toBe("none");
    expect(decideCancelling(jobDoc("running", { cancel_requested_at: NOW }), PROVIDERS[kind])).toBe("none");
  });

  test.each(["stops when aborted", "can be asked"] as const)(
    "a cancellation request of a running job is recorded, where its provider %s",
    (kind) => {
      expect(decideCancelling(jobDoc("running"), PROVIDERS[kind])).toBe("request");
    },
  );

  test.each(["cannot stop", "says that it cannot", "is gone"] as const)(
    "a cancellation request of a running job is refused with the next step, where its provider %s",
    (kind) => {
      expect(() => decideCancelling(jobDoc("running"), PROVIDERS[kind])).toThrow(
        expect.objectContaining({
          code: "job_not_cancellable",
          message: "The job runs at a provider that cannot stop what it has begun.",
          hint: expect.stringContaining("Let it end"),
        }),
      );
    },
  );

  test.each(["completed", "failed"] as const)("is too late for a %s job", (state) => {
    for (const kind of KINDS)
      expect(() => decideCancelling(jobDoc(state), PROVIDERS[kind])).toThrow(
        new AppError("job_not_cancellable", { message: `The job has ended: it is ${state}.` }),
      );
  });
});

test.each(KINDS)(
  "a job is cancellable when a request would change something, at a provider that %s",
  (kind) => {
    const provider: Stopping = PROVIDERS[kind];
    const jobs = [
      jobDoc("reserved"),
      jobDoc("running"),
      jobDoc("running", { cancel_requested_at: NOW }),
      jobDoc("running", { lease: null }),
      ...(["completed", "failed", "cancelled"] as const).map((state) => jobDoc(state)),
    ];
    for (const job of jobs) {
      let changes = false;
      try {
        changes = decideCancelling(job, provider) !== "none";
      } catch {
        // The request is refused.
      }
      expect(isCancellable(job, provider), job.state).toBe(changes);
    }
    expect(isCancellable(jobDoc("running"), provider)).toBe(/stops|asked/.test(kind));
  },
);

describe("a running job that is being cancelled", () => {
  const wished = changedJob(jobDoc("running"), requestCancel(jobDoc("running"), NOW));

  test("is stored as running with the time of the request, and shown as cancelling", () => {
    expect(wished).toMatchObject({ state: "running", cancel_requested_at: NOW, version: 4 });
    expect(shownState(wished)).toBe("cancelling");
    expect(shownState(jobDoc("running"))).toBe("running");
    expect(shownState(jobDoc("cancelled", { cancel_requested_at: NOW }))).toBe("cancelled");
    expect(shownState(jobDoc("completed", { cancel_requested_at: NOW }))).toBe("completed");
  });

  test("is shown as cancelling in each event from the request to its end", () => {
    const progress = { type: "progress", state: "running", at: at(1), detail: { fraction: 0.5 } } as const;
    const end = { type: "completed", state: "completed", at: at(2) } as const;
    const events = [...wished.events, progress, end];
    expect(toJobEvents({ ...wished, events }).map(({ type, state }) => `${type} ${state}`)).toEqual([
      "reserved reserved",
      "debited running",
      "running running",
      "cancelling cancelling",
      "progress cancelling",
      "completed completed",
    ]);
  });
});

// The table of an operator's bulk actions in every job state, with the reasons of skipped jobs.
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
