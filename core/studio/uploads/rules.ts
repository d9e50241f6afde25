// Decisions about uploads: how large each kind may be, how long they are kept, and the words of refusals. Pure.
import { AppError } from "../../../proto/codes.ts";
import type { Modality } from "../../../proto/resources/job.ts";
import { MAX_UPLOAD_BYTES } from "../../../proto/resources/upload.ts";

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What a file turned out to be. */
export type CleanedMedia = {
  kind: Modality;
  mimeType: string;
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
};

/** The bytes to keep; what they are is known at the end. Throws unsupported_input and upload_too_large, at any time. */
export type Cleaned = AsyncGenerator<Uint8Array, CleanedMedia>;

/** As it arrives. */
export const MAX_BYTES: Readonly<Record<Modality, number>> = {
  image: 25 * MIB,
  audio: 50 * MIB,
  video: MAX_UPLOAD_BYTES,
};

/** As it is kept: a picture that is written anew may come out larger. */
export const MAX_KEPT_BYTES: Readonly<Record<Modality, number>> = { ...MAX_BYTES, image: 64 * MIB };

/** An address to send a file to is good for so long. */
export const ADDRESS_MS = 15 * MINUTE_MS;
/** A file has this long to arrive, and an upload that broke off counts no longer. */
export const ARRIVAL_MS = 15 * MINUTE_MS;
/** A job may read its inputs for this long after the last moment at which it may run: it is settled by then. */
const SLACK_MS = 60 * MINUTE_MS;

export function uploadExpiry(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS);
}

/** Until when a job that is accepted now may want its inputs. */
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

const WORDS: Readonly<Record<Modality, string>> = { image: "a picture", audio: "audio", video: "a video" };

/** "a picture or a video" */
function wordsOf(kinds: readonly Modality[]): string {
  return kinds.map((kind) => WORDS[kind]).join(" or ");
}

export function otherKind(kind: Modality, wanted: readonly Modality[]): AppError {
  return unsupported(
    `The file is ${wordsOf([kind])}, and ${wordsOf(wanted)} is wanted.`,
    `Use ${wordsOf(wanted)}.`,
  );
}

/** The error for an account that keeps as much as it may, or undefined. What has just been added counts. */
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
