// Examines an incoming file by its content and passes on only what may be kept: picture, sound and frames, and no personal metadata.
import { AppError } from "../../../proto/codes.ts";
import type { Modality } from "../../../proto/resources/job.ts";
import { mediaTypeOf } from "../../adapters/providers/media.ts";
import { ByteReader } from "./byte-reader.ts";
import { cleanFlac } from "./flac.ts";
import { cleanAac, cleanMp3 } from "./frames.ts";
import type { ImageCleaner } from "./image.ts";
import { cleanMp4 } from "./mp4.ts";
import { type Cleaned, MAX_BYTES, otherKind, unsupported } from "./rules.ts";
import { cleanWav } from "./wav.ts";
import { cleanWebm } from "./webm.ts";

/** The number of leading bytes that identify a file. */
const TELLING_BYTES = 16;

const CLEANERS: Readonly<Record<string, (reader: ByteReader) => Cleaned>> = {
  "audio/wav": cleanWav,
  "audio/flac": cleanFlac,
  "audio/mpeg": cleanMp3,
  "audio/aac": cleanAac,
  "audio/mp4": cleanMp4,
  "video/mp4": cleanMp4,
  "video/webm": cleanWebm,
};
/** The first bytes do not identify a known format. */
const MAY_BE_SOUND: ReadonlySet<string> = new Set(["video/mp4", "video/webm"]);

export type CleanOptions = {
  readonly maxBytes: number;
  /** The wanted kinds; others are refused after their first bytes. */
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
    const { modality, mimeType } = told;
    const canBeSound = MAY_BE_SOUND.has(mimeType) && kinds.includes("audio");
    if (!kinds.includes(modality) && !canBeSound) throw otherKind(modality, kinds);
    reader.limit(MAX_BYTES[modality]);
    if (modality === "image") {
      const { bytes, media } = await cleanImage(await reader.rest(), mimeType, signal);
      yield bytes;
      return media;
    }
    const cleaner = CLEANERS[mimeType];
    if (!cleaner) throw new AppError("unsupported_input");
    const media = yield* cleaner(reader);
    if (!kinds.includes(media.kind)) throw otherKind(media.kind, kinds);
    return media;
  } finally {
    await reader.close();
  }
}
