// Whether this service made a file, for anyone who has its digest: when, and with which model, but not for whom or from which prompt.
import type { VerifiedOutput } from "../../../proto/resources/verified-output.ts";
import { debitHashOf } from "../../identity/credits/read.ts";
import type { App } from "../../kernel/app.ts";
import { listMade } from "../../kernel/outputs/find-files.ts";
import { findJob } from "./store-reads.ts";

const UNKNOWN: VerifiedOutput = {
  made: false,
  made_at: null,
  modality: null,
  model_slug: null,
  ledger_entry_hash: null,
};

/** Known for as long as the file is kept. If several jobs made it, the first that completed counts. */
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
