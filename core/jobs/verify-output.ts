// Whether this service made a file, told to anybody who has its digest: when, and by which model; nothing of whose it is or what was asked.
import type { VerifiedOutput } from "../../proto/resources/verified-output.ts";
import type { App } from "../app.ts";
import { debitHashOf } from "../credits/read.ts";
import { listMade } from "../outputs/made.ts";
import { findJob } from "./store-reads.ts";

const UNKNOWN: VerifiedOutput = {
  made: false,
  made_at: null,
  modality: null,
  model_slug: null,
  ledger_entry_hash: null,
};

/** Known for as long as the file is kept. The first job that completed with it counts. */
export async function verifyOutput(app: App, sha256: string): Promise<VerifiedOutput> {
  for (const { outputId, accountId, jobId } of await listMade(app, sha256)) {
    const job = await findJob(app.mongo.db, accountId, jobId);
    if (!job?.ended_at || !job.outputs.some(({ output_id }) => output_id === outputId)) continue;
    return {
      made: true,
      made_at: job.ended_at.toISOString(),
      modality: job.modality,
      model_slug: job.model_slug,
      ledger_entry_hash: await debitHashOf(app, accountId, jobId),
    };
  }
  return UNKNOWN;
}
