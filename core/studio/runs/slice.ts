// The parts of runs that processes need.
import type { Slice } from "../../kernel/slice.ts";
import type { JobsApp } from "../jobs/local-dispatch.ts";
import { countWaiting } from "./admit.ts";
import { startWorker } from "./worker.ts";

export const runsSlice: Slice<JobsApp> = {
  name: "studio/runs",
  observe: (app) =>
    app.metrics.gauges(
      "provider_jobs_waiting",
      "Running jobs that wait until their provider may be called.",
      ["provider"],
      async () =>
        [...(await countWaiting(app))].map(([provider, value]) => ({ labels: { provider }, value })),
    ),
  runners: [
    {
      what: "run jobs",
      start: (app) => {
        const { workerConcurrency: concurrency, leaseMs, drainMs } = app.config;
        const worker = startWorker(app, { concurrency, leaseMs });
        return {
          stop: async () => {
            await worker.stop(drainMs);
          },
        };
      },
    },
  ],
};
