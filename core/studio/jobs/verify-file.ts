// Verifies the Content Credentials of a file that anyone sends, and compares them with the records here. Nothing of the file is stored.
import { createHash } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import {
  MAX_VERIFIED_BYTES,
  SMALL_VERIFIED_BYTES,
  type VerifiedFile,
} from "../../../proto/resources/verified-file.ts";
import type { VerifiedOutput } from "../../../proto/resources/verified-output.ts";
import { createPermits, type Permits } from "../../../runtime/permits.ts";
import { mediaTypeOf } from "../../adapters/providers/media.ts";
import {
  createMemoryBudget,
  createOutputLimits,
  type MemoryBudget,
} from "../../adapters/providers/memory-budget.ts";
import { debitHashOf, entryById } from "../../identity/credits/read.ts";
import type { App } from "../../kernel/app.ts";
import { readCredentials } from "../../kernel/content-credentials/credentials.ts";
import type { ManifestReport } from "../../kernel/content-credentials/report.ts";
import { CredentialsUnavailable } from "../../kernel/content-credentials/threads.ts";
import { carriesStore, verifyReport } from "../../kernel/content-credentials/verdict-rules.ts";
import { listMade } from "../../kernel/outputs/find-files.ts";
import { tooLarge, unsupported } from "../uploads/rules.ts";
import { findJob } from "./store-reads.ts";

/** Large files are received one at a time, which limits memory. */
const BUDGET_BYTES = MAX_VERIFIED_BYTES;
const PER_ADDRESS = 2;
const PER_PROCESS = 16;
const RETRY_AFTER_SECONDS = 5;
const LOOK_UP_HINT = "Look up its SHA-256 with GET /api/outputs/verify?sha256= instead.";
const KINDS_HINT =
  "Send a picture (PNG, JPEG, WebP, AVIF or GIF), audio (WAV, MP3, M4A, FLAC, AAC or Ogg) or video (MP4 or WebM).";

/** The state shared by all verifications of a process. */
type Verifying = {
  readonly slots: Permits<"address" | "process">;
  readonly memory: MemoryBudget;
};

export function createVerifying({ config }: Pick<App, "config">): Verifying {
  const most = (limit: number) => (config.rateLimits ? limit : Number.POSITIVE_INFINITY);
  return {
    slots: createPermits({
      address: { most: most(PER_ADDRESS), words: "files of this address being verified" },
      process: { most: most(PER_PROCESS), words: "files being verified here" },
    }),
    memory: createMemoryBudget(BUDGET_BYTES),
  };
}

export type SentFile = {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The sender, for the limit of parallel files. */
  readonly address: string;
  readonly signal: AbortSignal;
};

/** Throws unsupported_input, upload_too_large, rate_limited, service_unavailable, and what `pieces` throws. */
export async function verifyFile(app: App, verifying: Verifying, file: SentFile): Promise<VerifiedFile> {
  const leave = verifying.slots.take({ address: file.address, process: "" });
  const limits = createOutputLimits(verifying.memory, MAX_VERIFIED_BYTES, file.signal);
  try {
    const { bytes, sha256 } = await receive(file.pieces, limits.reserveMemory);
    const mimeType = kindOf(bytes);
    const verdict = verifyReport(await read(app, bytes, mimeType), {
      carriesStore: carriesStore(bytes),
      ownIssuer: await app.credentials.ownIssuer(),
    });
    const record = await verifyOutput(app, sha256);
    return {
      ...verdict,
      sha256,
      bytes: bytes.length,
      mime_type: mimeType,
      ledger_agrees: await ledgerAgrees(app, verdict.origin, record),
      record,
    };
  } finally {
    limits.release();
    leave();
  }
}

/** Grows in place, because joining chunks at the end would hold them twice. */
async function receive(
  pieces: AsyncIterable<Uint8Array>,
  reserveMemory: () => Promise<void>,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; sha256: string }> {
  const buffer = new ArrayBuffer(0, { maxByteLength: MAX_VERIFIED_BYTES });
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    const at = buffer.byteLength;
    if (at + piece.length > MAX_VERIFIED_BYTES)
      throw new AppError("upload_too_large", {
        message: tooLarge(MAX_VERIFIED_BYTES, "A file that is verified").message,
        hint: LOOK_UP_HINT,
      });
    if (at + piece.length > SMALL_VERIFIED_BYTES) await reserveMemory();
    buffer.resize(at + piece.length);
    new Uint8Array(buffer).set(piece, at);
    hash.update(piece);
  }
  return { bytes: new Uint8Array(buffer.transferToFixedLength()), sha256: hash.digest("hex") };
}

function kindOf(bytes: Uint8Array): string {
  if (bytes.length === 0) throw unsupported("The file is empty.", "Send a file with something in it.");
  const told = mediaTypeOf(bytes);
  if (!told) throw unsupported("The file is of no kind that can be verified.", KINDS_HINT);
  return told.mimeType;
}

async function read(app: App, bytes: Uint8Array, mimeType: string): Promise<ManifestReport | undefined> {
  try {
    return await readCredentials(app, bytes, mimeType);
  } catch (error) {
    if (!(error instanceof CredentialsUnavailable)) throw error;
    app.log.warn({ err: error, mimeType }, "a file could not be verified");
    throw new AppError("service_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/** The entry outlives the file, so this works for an expired file, and for one whose bytes were changed. */
async function ledgerAgrees(
  app: App,
  origin: VerifiedFile["origin"],
  record: VerifiedOutput,
): Promise<boolean | null> {
  if (!origin?.ledger_entry_id || !origin.ledger_entry_hash) return null;
  const entry = await entryById(app, origin.ledger_entry_id);
  if (!entry) return null;
  const isSame = entry.hash === origin.ledger_entry_hash && entry.job_id === origin.job_id;
  return isSame && (!record.made || record.ledger_entry_hash === origin.ledger_entry_hash);
}

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
