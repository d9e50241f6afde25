// Stores what a provider made, before the job is settled. Files that no settled job names are never shown and expire like the others.
import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import { createGroupCommit, fulfilled } from "../mongo/group-commit.ts";
import { isDatabaseAway } from "../mongo/in-tx.ts";
import type { ProviderOutput } from "../providers/provider.ts";
import { outputExpiry } from "./rules.ts";
import { CHUNK_BYTES, type FileDoc, insertFiles, type OutputDoc, type StoredFile } from "./store.ts";

type Owner = { accountId: string; jobId: string };

/** Answers the facts for the job's record, in the order of `outputs`. Saving again makes new files with ids of their own. */
export type SaveOutputs = (owner: Owner, outputs: readonly ProviderOutput[]) => Promise<OutputDoc[]>;

const MAX_BATCH = 256;
const MAX_WAITING = 16 * MAX_BATCH;
/** Larger than this, a job's files are written by themselves: gathering them would make small ones wait for large ones. */
const MAX_GATHERED_BYTES = 64 * 1024;

/** Small files of jobs that end at the same time are written together. */
export function createOutputSaver(app: App): SaveOutputs {
  const { db } = app.mongo;
  const gather = createGroupCommit<readonly StoredFile[], void>({
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    commit: async (requests) => {
      await insertFiles(db, requests.flat());
      return requests.map(() => fulfilled(undefined));
    },
    isHopeless: isDatabaseAway,
  });

  return async (owner, outputs) => {
    const now = app.clock.now();
    const made = outputs.map((output, index) => {
      const doc = describeOutput(app.newId("out"), output, outputExpiry(now));
      return { doc, file: toFile(doc, owner, index, now), bytes: output.bytes };
    });
    const size = made.reduce((sum, { bytes }) => sum + bytes.length, 0);
    await (size > MAX_GATHERED_BYTES ? insertFiles(db, made) : gather(made));
    return made.map(({ doc }) => doc);
  };
}

function describeOutput(outputId: string, output: ProviderOutput, expiresAt: Date): OutputDoc {
  return {
    output_id: outputId,
    mime_type: output.mimeType,
    bytes: output.bytes.length,
    sha256: createHash("sha256").update(output.bytes).digest("hex"),
    width: output.width ?? null,
    height: output.height ?? null,
    duration_seconds: output.durationSeconds ?? null,
    expires_at: expiresAt,
  };
}

function toFile(doc: OutputDoc, { accountId, jobId }: Owner, index: number, now: Date): FileDoc {
  const { output_id, bytes, ...facts } = doc;
  return {
    _id: output_id,
    length: bytes,
    chunkSize: CHUNK_BYTES,
    uploadDate: now,
    filename: `${jobId}/${index}`,
    metadata: { ...facts, account_id: accountId, job_id: jobId },
  };
}
