// The queue of generate requests: those that wait at the same time are accepted in one transaction.
import { createGroupCommit, type GroupCommit, type Patience } from "../mongo/group-commit.ts";
import { isDatabaseAway } from "../mongo/errors.ts";
import { type Accepted, acceptJobs } from "./accept.ts";
import type { AcceptRequest } from "./check-request.ts";
import type { JobsApp } from "./intake.ts";

const MAX_BATCH = 256;

export function createAcceptQueue(app: JobsApp, maxBatch = MAX_BATCH): GroupCommit<AcceptRequest, Accepted> {
  const accept = createGroupCommit<AcceptRequest, Accepted>({
    maxBatch,
    commit: (requests, batch) => acceptJobs(app, requests, batch),
    isHopeless: isDatabaseAway,
    contention: app.mongo.contention,
  });
  app.metrics.gauge(
    "accept_oldest_waiting_seconds",
    "How long the oldest generate request that this core has not answered yet has waited.",
    () => accept.oldestWaitingMs() / 1000,
  );
  const took = app.metrics.duration("job_accept", "From a generate request to its answer, in this core.", []);
  const timed = async (request: AcceptRequest, patience?: Patience): Promise<Accepted> => {
    const end = took.startTimer();
    try {
      return await accept(request, patience);
    } finally {
      end();
    }
  };
  return Object.assign(timed, { oldestWaitingMs: accept.oldestWaitingMs });
}
