// The queue of generate requests: those that wait at the same time are accepted in one transaction.
import { tracedBatch, tracedStep } from "../../../runtime/log/tracing.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { createGroupCommit, type GroupCommit, type Deadline } from "../../base/mongo/group-commit.ts";
import { type AcceptedJob, acceptJobs } from "./accept.ts";
import type { AcceptRequest } from "./check-request.ts";
import type { JobsApp } from "./local-dispatch.ts";

const MAX_BATCH = 256;
/** Used while commits take 100 ms and more; accepting inserts, so a larger batch costs no more for each request. */
const MAX_STRETCH = 4;

export function createAcceptQueue(
  app: JobsApp,
  maxBatch = MAX_BATCH,
): GroupCommit<AcceptRequest, AcceptedJob> {
  const accept = createGroupCommit<AcceptRequest, AcceptedJob>({
    maxBatch,
    maxStretch: MAX_STRETCH,
    commit: (requests, batch) =>
      tracedBatch(
        app.tracing,
        "commit accepted jobs",
        requests.map(({ span }) => span),
        () => acceptJobs(app, requests, batch),
      ),
    isHopeless: isDatabaseAway,
    contention: app.mongo.contention,
  });
  app.metrics.gauge(
    "accept_oldest_waiting_seconds",
    "How long the oldest generate request that this core has not answered yet has waited.",
    () => accept.oldestWaitingMs() / 1000,
  );
  const took = app.metrics.duration(
    "job_accept",
    "Time from a generate request to its response, in this core.",
    [],
  );
  const timed = async (request: AcceptRequest, deadline?: Deadline): Promise<AcceptedJob> => {
    const end = took.startTimer();
    try {
      return await accept(request, deadline);
    } finally {
      end();
    }
  };
  const { tracing } = app;
  const tracedAndTimed = tracing
    ? (request: AcceptRequest, deadline?: Deadline) =>
        tracedStep(tracing, "accept job", {}, async (span) => {
          const accepted = await timed({ ...request, span }, deadline);
          span?.set({ "atelier.job.id": accepted.job._id, "atelier.job.replayed": accepted.replayed });
          return accepted;
        })
    : timed;
  return Object.assign(tracedAndTimed, { oldestWaitingMs: accept.oldestWaitingMs });
}
