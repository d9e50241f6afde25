// Jobs end to end, from the accept call to the completed job, and their audit.
import type { App } from "../../core/kernel/app.ts";
import { auditAccounts } from "../../core/operations/audit/audit-accounts.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { startWorker } from "../../core/studio/runs/worker.ts";
import type { Caller } from "../../proto/caller.ts";
import { drive, type Load, rate } from "./stats.ts";
import { type Accept, requestsOf } from "./world.ts";

/** No deliverer runs in these measurements: the finalizing transaction's row is measured. */
const CALLBACK_URL = "https://example.com/callback";

/** Accepting and working in one process, as `npm start` does. Each call lasts until its job has completed. */
export async function driveEndToEnd(
  app: JobsApp,
  accept: Accept,
  customers: readonly Caller[],
  { callers, forMs }: { callers: number; forMs: number },
): Promise<Load> {
  const next = requestsOf(customers, { callback_url: CALLBACK_URL });
  // A job changes twice here: claimed, then completed.
  const seen = new Map<string, { changes: number; done?: () => void }>();
  const onChanged = (ids: readonly string[]) => {
    for (const id of ids) {
      const job = seen.get(id) ?? { changes: 0 };
      job.changes += 1;
      seen.set(id, job);
      if (job.changes === 2) job.done?.();
    }
  };
  app.signals.on("changed", onChanged);
  const worker = startWorker(app, { concurrency: callers * 2, leaseMs: 15_000 });
  const load = await drive(callers, forMs, async (i) => {
    const { job } = await accept(next(i));
    const state = seen.get(job._id) ?? { changes: 0 };
    seen.set(job._id, state);
    if (state.changes < 2) {
      await new Promise<void>((resolve) => {
        state.done = resolve;
      });
    }
    seen.delete(job._id);
  });
  app.signals.off("changed", onChanged);
  await worker.stop(10_000);
  return load;
}

/** The audited numbers. Throws the findings, because a figure of an incorrect service is worthless. */
export async function auditInWords(app: App): Promise<string> {
  let counts = "";
  for await (const report of auditAccounts(app)) {
    if (report.findings.length > 0) throw new Error(`audit: ${report.findings[0]?.what}`);
    counts = `${rate(report.accounts)} accounts, ${rate(report.entries)} entries, ${rate(report.jobs)} jobs`;
  }
  return `Audit clean: ${counts}.`;
}
