// Sends the rows of a file to core, batch by batch: each batch is stored whole or not at all, and the others are tried even if one is
// refused. Holds one batch in memory.
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../proto/codes.ts";
import type { ImportProductsReply } from "../proto/types/atelier/v1/ImportProductsReply.ts";
import type { ImportProductsRequestInput } from "../proto/types/atelier/v1/ImportProductsRequest.ts";
import type { Finding, Row } from "./product-rows.ts";

/** The limits of one call of core. */
export const MAX_BATCH_ROWS = 1_000;
const MAX_BATCH_BYTES = 900 * 1024;
/** The most that a row takes on the wire in addition to its JSON. */
const ROW_OVERHEAD_BYTES = 32;

/** The pauses before a batch is sent again when core was unavailable: half a minute together, enough for a restart. */
const RETRY_AFTER_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];

export type ImportOptions = {
  batchRows: number;
  /** Rows that begin on an earlier line are skipped. */
  fromLine: number;
  dryRun: boolean;
  createMissing: boolean;
};

export type ImportCounts = {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Rows with a finding. */
  refused: number;
  /** Rows without a finding, in the same batch as a refused row. */
  heldBack: number;
};

export type ImportProgress = {
  readonly counts: Readonly<ImportCounts>;
  /** The last line that was read. */
  readonly readLine: number;
  /** The line up to which everything is stored, or in a dry run would be. */
  readonly storedLine: number;
};

export type ImportTarget = {
  send(request: ImportProductsRequestInput): Promise<ImportProductsReply>;
  onFinding(finding: Finding): void;
  /** Called after each batch. */
  onProgress(progress: ImportProgress): void;
};

/** Throws what `send` throws. The last reported progress says what was stored by then. */
export async function importRows(
  rows: AsyncIterable<Row>,
  { batchRows, fromLine, dryRun, createMissing }: ImportOptions,
  target: ImportTarget,
): Promise<ImportProgress> {
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, refused: 0, heldBack: 0 };
  let readLine = fromLine - 1;
  let storedLine = readLine;
  let batch: Row[] = [];
  let batchBytes = 0;

  async function finishBatch(): Promise<void> {
    const last = batch.at(-1);
    if (!last) return;
    const { findings, ...stored } = await sendBatch(batch, { dryRun, createMissing }, target);
    const refused = new Set(findings.map(({ line }) => line)).size;
    counts.rows += batch.length;
    counts.refused += refused;
    if (refused > 0) counts.heldBack += batch.length - refused;
    else {
      counts.created += stored.created;
      counts.updated += stored.updated;
      counts.unchanged += stored.unchanged;
    }
    readLine = last.lastLine;
    if (counts.refused === 0) storedLine = readLine;
    batch = [];
    batchBytes = 0;
    for (const finding of findings) target.onFinding(finding);
    target.onProgress({ counts, readLine, storedLine });
  }

  for await (const row of rows) {
    if (row.line < fromLine) continue;
    const rowBytes = "json" in row ? Buffer.byteLength(row.json) + ROW_OVERHEAD_BYTES : 0;
    if (batch.length === batchRows || batchBytes + rowBytes > MAX_BATCH_BYTES) await finishBatch();
    batch.push(row);
    batchBytes += rowBytes;
  }
  await finishBatch();
  return { counts, readLine, storedLine };
}

async function sendBatch(
  batch: readonly Row[],
  { dryRun, createMissing }: Pick<ImportOptions, "dryRun" | "createMissing">,
  { send }: Pick<ImportTarget, "send">,
) {
  const findings = batch.flatMap((row) => ("findings" in row ? row.findings : []));
  const rows = batch.flatMap((row) => ("json" in row ? [{ line: row.line, json: row.json }] : []));
  const reply =
    rows.length === 0
      ? { created: 0, updated: 0, unchanged: 0, findings: [] }
      : // Where something is wrong already, core only says what else is.
        await send({ rows, dry_run: dryRun || findings.length > 0, create_missing: createMissing });
  return { ...reply, findings: [...findings, ...reply.findings].sort((a, b) => a.line - b.line) };
}

/**
 * Repeats `send` for a while if core or its database is unavailable, but not on the very first batch: then core is probably not running at
 * all. Sending a batch twice is safe, because the second time changes nothing. If only the answer was lost, the batch counts as unchanged.
 */
export function createRetryingSend(
  send: ImportTarget["send"],
  wait: (ms: number) => Promise<unknown> = delay,
): ImportTarget["send"] {
  let hasAnswered = false;
  return async (request) => {
    const waits = hasAnswered ? RETRY_AFTER_MS.values() : [].values();
    for (;;) {
      try {
        const reply = await send(request);
        hasAnswered = true;
        return reply;
      } catch (error) {
        const next = waits.next();
        if (next.done || !isAway(error)) throw error;
        await wait(next.value);
      }
    }
  };
}

function isAway(error: unknown): boolean {
  return (
    error instanceof AppError && (error.code === "service_unavailable" || error.code === "deadline_exceeded")
  );
}
