// Whether this service made a file, told to anybody who has its digest: when, and by which model; nothing of whose it is or what was asked.
import type { VerifiedOutput } from "../../proto/resources/verified-output.ts";
import type { App } from "../app.ts";
import { findDebitHash } from "../credits/store.ts";
import { findMade } from "../outputs/store.ts";
import { findJob } from "./store-reads.ts";

/** Files alike are rare: copies of one small thing, or what a worker had stored before it was lost. */
const MOST_ALIKE = 20;
const UNKNOWN: VerifiedOutput = {
  made: false,
  made_at: null,
  modality: null,
  model_slug: null,
  ledger_entry_hash: null,
};

/** Known for as long as the file is kept. The first job that completed with it counts. */
export async function verifyOutput(app: App, sha256: string): Promise<VerifiedOutput> {
  const { db } = app.mongo;
  const now = app.clock.now();
  for (const { _id, metadata } of await findMade(db, sha256, MOST_ALIKE)) {
    const { account_id: accountId, job_id: jobId, expires_at: expiresAt } = metadata;
    const job = expiresAt > now ? await findJob(db, accountId, jobId) : null;
    if (!job?.ended_at || !job.outputs.some(({ output_id }) => output_id === _id)) continue;
    return {
      made: true,
      made_at: job.ended_at.toISOString(),
      modality: job.modality,
      model_slug: job.model_slug,
      ledger_entry_hash: (await findDebitHash(db, accountId, jobId)) ?? null,
    };
  }
  return UNKNOWN;
}
