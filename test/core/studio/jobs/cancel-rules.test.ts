// The result of a cancellation request in every state and for every kind of provider, and how it is shown.
import { describe, expect, test } from "vitest";
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
    expect(toJobEvents({ ...wished, events }).map(({ type, state }) => [type, state])).toEqual([
      ["reserved", "reserved"],
      ["debited", "running"],
      ["running", "running"],
      ["cancelling", "cancelling"],
      ["progress", "cancelling"],
      ["completed", "completed"],
    ]);
  });
});
