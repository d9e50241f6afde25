// The signed receipt of a job, as it is now.
import { createHash } from "node:crypto";
import type { ReceiptPayload } from "../../../proto/resources/receipt.ts";
import { findAllEntriesOf } from "../../identity/credits/read.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { App } from "../../kernel/app.ts";
import { signReceipt } from "../../kernel/signing/receipts.ts";
import { shownState } from "./rules.ts";
import type { JobDoc } from "./store.ts";

/** Undefined if production has no key to sign with. */
export async function receiptOf(app: App, job: JobDoc): Promise<string | undefined> {
  if (app.signingKeys.receipts.length === 0) return undefined;
  const entries = await findAllEntriesOf(app, job.account_id, [job._id]);
  return signReceipt(app, receiptPayload(job, entries, app.generationBaseUrl));
}

/** The payload of a job's receipt. `entries` are those of the job, in any order. */
export function receiptPayload(job: JobDoc, entries: readonly LedgerDoc[], iss: string): ReceiptPayload {
  const { modality, model_slug, prompt, params, metadata } = job;
  const sumOf = (kind: LedgerDoc["kind"]) =>
    entries.filter((entry) => entry.kind === kind).reduce((sum, { amount }) => sum + Math.abs(amount), 0);
  const lastAt = job.events.at(-1)?.at ?? job.created_at;
  return {
    iss,
    iat: Math.floor(lastAt.getTime() / 1000),
    job_id: job._id,
    version: job.version,
    state: shownState(job),
    modality,
    model: model_slug,
    provider: job.call?.provider ?? job.provider,
    request_sha256: createHash("sha256")
      .update(canonicalJson({ metadata, modality, model_slug, params, prompt }))
      .digest("hex"),
    credits: { reserved: job.credits, captured: sumOf("debit"), refunded: sumOf("refund") },
    entries: entries
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ _id, seq, kind, hash }) => ({ entry_id: _id, seq, kind, hash })),
    outputs: job.outputs.map(({ output_id, sha256 }) => ({ output_id, sha256 })),
  };
}

/** The RFC 8785 form of a value that came as JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(",")}}`;
}
