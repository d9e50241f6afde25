// Decisions about uploads: size limits of each kind, how long they are kept, and error messages. This file is pure.
import { AppError } from "../../../proto/codes.ts";
import type { Modality } from "../../../proto/resources/job.ts";
import { MAX_UPLOAD_BYTES } from "../../../proto/resources/upload.ts";

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WORDS: Readonly<Record<Modality, string>> = { image: "a picture", audio: "audio", video: "a video" };

/** The kind of a file according to its content. */
export type CleanedMedia = {
  kind: Modality;
  mimeType: string;
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
};

/** The bytes to keep; their kind is known at the end. Throws unsupported_input and upload_too_large at any time. */
export type Cleaned = AsyncGenerator<Uint8Array, CleanedMedia>;

/** The size of the incoming file. */
export const MAX_BYTES: Readonly<Record<Modality, number>> = {
  image: 25 * MIB,
  audio: 50 * MIB,
  video: MAX_UPLOAD_BYTES,
};

/** The size of the stored file: a picture that is encoded again may be larger. */
export const MAX_KEPT_BYTES: Readonly<Record<Modality, number>> = { ...MAX_BYTES, image: 64 * MIB };

/** How long an address accepts a file. */
export const ADDRESS_MS = 15 * MINUTE_MS;
/** The time for a file to arrive; afterwards an incomplete upload no longer counts. */
export const ARRIVAL_MS = 15 * MINUTE_MS;
/** How long after its latest possible run a job may read its inputs; it is settled by then. */
const SLACK_MS = 60 * MINUTE_MS;

export function uploadExpiry(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS);
}

/** Until when a job accepted now may need its inputs. */
export function neededUntil(at: Date, job: { queueMs: number; runMs: number }): Date {
  return new Date(at.getTime() + job.queueMs + job.runMs + SLACK_MS);
}

export function unsupported(message: string, hint?: string): AppError {
  return new AppError("unsupported_input", { message, ...(hint !== undefined && { hint }) });
}

export function tooLarge(maxBytes: number, what: string): AppError {
  return new AppError("upload_too_large", {
    message: `${what} may have at most ${maxBytes < MIB ? `${maxBytes} bytes` : `${Math.floor(maxBytes / MIB)} MiB`}.`,
  });
}

/** For example "a picture or a video". */
function wordsOf(kinds: readonly Modality[]): string {
  return kinds.map((kind) => WORDS[kind]).join(" or ");
}

export function otherKind(kind: Modality, wanted: readonly Modality[]): AppError {
  return unsupported(
    `The file is ${wordsOf([kind])}, and ${wordsOf(wanted)} is wanted.`,
    `Use ${wordsOf(wanted)}.`,
  );
}

/** The error for an account at its storage limit, or undefined. A file that was just added counts. */
export function refuseKept(
  kept: { count: number; bytes: number },
  most: { count: number; bytes: number },
): AppError | undefined {
  if (kept.count > most.count)
    return new AppError("upload_limit_reached", {
      message: `The account keeps ${most.count} uploads, the most it may.`,
    });
  if (kept.bytes > most.bytes)
    return new AppError("upload_limit_reached", {
      message: `With this file the account's uploads would have more than ${most.bytes / MIB} MiB, the most it may keep.`,
    });
  return undefined;
}
