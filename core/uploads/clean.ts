// Takes a file in by its content, and lets out what may be kept of it: the picture, the sound, the frames, and nothing about anybody.
import { AppError } from "../../proto/codes.ts";
import type { Modality } from "../../proto/resources/job.ts";
import { mediaTypeOf } from "../providers/media.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ImageCleaner } from "./image.ts";
import { type CleanedMedia, MAX_BYTES, otherKind, unsupported } from "./rules.ts";

/** The bytes to keep; what they are is known at the end. Throws unsupported_input and upload_too_large, at any time. */
export type Cleaned = AsyncGenerator<Uint8Array, CleanedMedia>;

/** As many of a file's first bytes as tell what it is. */
const TELLING_BYTES = 16;

export type CleanOptions = {
  readonly maxBytes: number;
  /** Kinds that are wanted; others are refused from their first bytes. */
  readonly kinds: readonly Modality[];
  readonly cleanImage: ImageCleaner;
  readonly signal: AbortSignal;
};

export async function* clean(source: AsyncIterable<Uint8Array>, options: CleanOptions): Cleaned {
  const { maxBytes, kinds, cleanImage, signal } = options;
  const reader = new ByteReader(source, maxBytes);
  try {
    const head = await reader.peek(TELLING_BYTES);
    if (head.length === 0) throw unsupported("The file is empty.", "Send a file with something in it.");
    const told = mediaTypeOf(head);
    if (!told) throw new AppError("unsupported_input");
    if (!kinds.includes(told.modality)) throw otherKind(told.modality, kinds);
    reader.limit(MAX_BYTES[told.modality]);
    if (told.modality !== "image") throw unsupported("Only pictures can be used yet.");
    const { bytes, media } = await cleanImage(await reader.rest(), told.mimeType, signal);
    yield bytes;
    return media;
  } finally {
    await reader.close();
  }
}
