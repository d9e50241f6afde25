// The parts of jobs that processes need.
import { shownFields } from "../../base/documents/fields.ts";
import { createRecent } from "../../base/mongo/recent.ts";
import type { App } from "../../kernel/app.ts";
import type { Slice } from "../../kernel/slice.ts";
import { exportedDelivery } from "../webhooks/resource.ts";
import { callbacksHandlers } from "./deliveries-rpc.ts";
import { listDeliveries } from "./deliveries.ts";
import { JOB_FIELDS, SHARE_FIELDS } from "./fields.ts";
import { forgetJobs } from "./forget-jobs.ts";
import { listJobs } from "./list.ts";
import { measureQueue } from "./measure-queue.ts";
import { jobsHandlers } from "./rpc.ts";
import { findShares } from "./store-shares.ts";
import { JOB_COLLECTIONS } from "./store.ts";

/** Scrapes within this time share one reading, however many there are. */
const MEASURE_MAX_AGE_MS = 1_000;

type JobsParts = Parameters<typeof jobsHandlers>[1] &
  Parameters<typeof jobsHandlers>[2] & { testEvents: Parameters<typeof callbacksHandlers>[1] };

export const jobsSlice: Slice<App, JobsParts> = {
  name: "studio/jobs",
  collections: JOB_COLLECTIONS,
  serve: (app, parts) => ({
    Callbacks: callbacksHandlers(app, parts.testEvents),
    Jobs: jobsHandlers(app, parts, parts),
  }),
  observe: (app) => {
    const queue = createRecent(() => measureQueue(app), MEASURE_MAX_AGE_MS);
    const { gauge } = app.metrics;
    gauge(
      "jobs_waiting",
      "Jobs in state reserved, counted up to 100,000.",
      async () => (await queue()).waiting,
    );
    gauge(
      "jobs_running",
      "Jobs in state running, counted up to 100,000.",
      async () => (await queue()).running,
    );
    gauge(
      "jobs_oldest_waiting_seconds",
      "How long the job that waits longest has waited; 0 when none does.",
      async () => (await queue()).oldestWaitingSeconds,
    );
  },
  owned: {
    archived: { jobs: JOB_FIELDS },
    export: {
      parts: async ({ mongo }, accountId) => ({
        shares: (await findShares(mongo.db, { account_id: accountId })).map((share) => ({
          share_id: share._id,
          ...shownFields(share, SHARE_FIELDS),
        })),
      }),
      lists: {
        jobs: async (app, accountId, page) => {
          const { jobs, starred, nextCursor } = await listJobs(app, { accountId, ...page });
          const rows = await Promise.all(
            jobs.map(async (job) => ({
              ...job,
              ...(starred.has(job.job_id) && { starred: true }),
              deliveries: job.callback
                ? (await listDeliveries(app, accountId, job.job_id)).map(exportedDelivery)
                : [],
            })),
          );
          return { rows, nextCursor };
        },
      },
    },
    erase: { endWork: forgetJobs },
  },
};
