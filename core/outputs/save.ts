// Stores what a provider made, before the job is settled. Files that no settled job names are never shown and expire like the others.
import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import type { ProviderOutput } from "../providers/provider.ts";
import { outputExpiry } from "./rules.ts";
import { CHUNK_BYTES, type FileDoc, insertFiles, type OutputDoc } from "./store.ts";

type Owner = { accountId: string; jobId: string };

/** Answers the facts for the job's record, in the order of `outputs`. Saving again makes new files with ids of their own. */
export async function saveOutputs(
  app: App,
  owner: Owner,
  outputs: readonly ProviderOutput[],
): Promise<OutputDoc[]> {
  const now = app.clock.now();
  const made = outputs.map((output, index) => {
    const doc = describeOutput(app.newId("out"), output, outputExpiry(now));
    return { doc, file: toFile(doc, owner, index, now), bytes: output.bytes };
  });
  await insertFiles(app.mongo.db, made);
  return made.map(({ doc }) => doc);
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
