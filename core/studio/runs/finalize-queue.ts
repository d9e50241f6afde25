// The queue of jobs that a worker has run: those that end together are finalized in one transaction.
import { tracedBatch } from "../../../runtime/log/tracing.ts";
import type { App } from "../../kernel/app.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { createGroupCommit, type GroupCommit } from "../../base/mongo/group-commit.ts";
import { type EndedRun, finalizeJobs } from "./finalize.ts";

const MAX_SETTLED = 256;
/** Fewer jobs than this are finalized together even if they are all that run, because a transaction has its price too. */
const WHOLE_BATCH = 32;

/**
 * With a backlog, throughput counts. Without one, latency does: batches take half of what runs, so that callers who wait for their jobs
 * return in two groups, and the jobs of one group are finalized while those of the other are accepted.
 */
export function finalizeTogether({ running, hasBacklog }: { running: number; hasBacklog: boolean }): number {
  return hasBacklog ? MAX_SETTLED : Math.min(MAX_SETTLED, Math.max(WHOLE_BATCH, Math.ceil(running / 2)));
}

export function createFinalizeQueue(app: App, maxBatch: () => number): GroupCommit<EndedRun, void> {
  return createGroupCommit<EndedRun, void>({
    maxBatch,
    commit: (runs, batch) =>
      tracedBatch(
        app.tracing,
        "commit finalized jobs",
        runs.map(({ span }) => span),
        () => finalizeJobs(app, runs, batch),
      ),
    isHopeless: isDatabaseAway,
    contention: app.mongo.contention,
  });
}
