// The real type of a file, by its first bytes and its own headers, never by a name or a claim.
import type { Modality } from "../../../proto/resources/job.ts";
import { readMp4 } from "./mp4.ts";
import { type ProviderCall, ProviderError, type ProviderOutput, type ProviderRequest } from "./provider.ts";

const MAX_PIXELS = 64 * 1024 * 1024;

type Signature = { modality: Modality; mimeType: string; matches: (head: string) => boolean };

/** `head` is the first 16 bytes, one character each. */
const SIGNATURES: readonly Signature[] = [
  { modality: "image", mimeType: "image/png", matches: (head) => head.startsWith("\x89PNG\r\n\x1a\n") },
  { modality: "image", mimeType: "image/jpeg", matches: (head) => head.startsWith("\xff\xd8\xff") },
  { modality: "image", mimeType: "image/gif", matches: (head) => /^GIF8[79]a/.test(head) },
  { modality: "image", mimeType: "image/webp", matches: (head) => /^RIFF.{4}WEBP/s.test(head) },
  { modality: "image", mimeType: "image/avif", matches: (head) => /^.{4}ftypavi[fs]/s.test(head) },
  { modality: "audio", mimeType: "audio/wav", matches: (head) => /^RIFF.{4}WAVE/s.test(head) },
  { modality: "audio", mimeType: "audio/flac", matches: (head) => head.startsWith("fLaC") },
  { modality: "audio", mimeType: "audio/ogg", matches: (head) => head.startsWith("OggS") },
  // This comes before MP3, because the frame headers of AAC are a special case of its sync bits.
  { modality: "audio", mimeType: "audio/aac", matches: (head) => /^\xff[\xf0\xf1\xf8\xf9]/.test(head) },
  {
    modality: "audio",
    mimeType: "audio/mpeg",
    matches: (head) => /^(ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff])/.test(head),
  },
  { modality: "audio", mimeType: "audio/mp4", matches: (head) => /^.{4}ftypM4[AB]/s.test(head) },
  { modality: "video", mimeType: "video/mp4", matches: (head) => /^.{4}ftyp/s.test(head) },
  { modality: "video", mimeType: "video/webm", matches: (head) => head.startsWith("\x1a\x45\xdf\xa3") },
];

/** The files of one answer as outputs, without those that cannot be used. Throws ProviderError if none is left. */
export async function inspectMade(
  files: readonly Uint8Array[],
  { modality }: Pick<ProviderRequest, "modality">,
): Promise<readonly ProviderOutput[]> {
  const inspected = files.map((file) => inspectMedia(file, modality));
  await Promise.allSettled(inspected);
  return usable(inspected.map((one) => () => one));
}

/**
 * Collects several files, one after the other. A file that will never be usable is left out, unless none is left; then its ProviderError is
 * thrown. A temporary error is thrown immediately, and all files can be fetched later, unless this is the last time.
 */
export async function usable<T>(
  files: readonly (() => Promise<T>)[],
  { isLast = false }: Pick<ProviderCall, "isLast"> = {},
): Promise<readonly T[]> {
  const had: T[] = [];
  let first: ProviderError | undefined;
  for (const file of files) {
    try {
      had.push(await file());
    } catch (error) {
      if (!(error instanceof ProviderError) || (error.retryable && !isLast)) throw error;
      first ??= error;
    }
  }
  if (first && had.length === 0) throw first;
  return had;
}

/** Recognizes a file by its first 16 bytes; undefined for an unsupported kind. */
export function mediaTypeOf(beginning: Uint8Array): Pick<Signature, "modality" | "mimeType"> | undefined {
  const head = Buffer.from(beginning.subarray(0, 16)).toString("latin1");
  return SIGNATURES.find(({ matches }) => matches(head));
}

/** The file as an output, with size and duration if they are cheap to find out. Throws ProviderError (provider_bad_answer). */
export async function inspectMedia(bytes: Uint8Array, modality: Modality): Promise<ProviderOutput> {
  const signature = mediaTypeOf(bytes);
  if (signature?.modality !== modality)
    throw badAnswer(`The provider's answer is not ${modality === "video" ? "a" : "an"} ${modality} file.`);
  const { mimeType } = signature;
  if (modality === "image") return { bytes, mimeType, ...(await readImage(bytes)) };
  if (mimeType === "video/mp4") return { bytes, mimeType, ...readMp4(bytes) };
  if (mimeType === "audio/wav") return { bytes, mimeType, ...readWav(bytes) };
  return { bytes, mimeType };
}

/** Decodes the whole picture, because a truncated picture still has a valid header. */
async function readImage(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    // The library is loaded with the first picture, so that a start does not wait for it.
    const { default: sharp } = await import("sharp");
    const image = sharp(bytes, { failOn: "error", limitInputPixels: MAX_PIXELS });
    const { width, height } = await image.metadata();
    await image.resize(1, 1, { fastShrinkOnLoad: false }).raw().toBuffer();
    return { width, height };
  } catch {
    throw badAnswer("The provider's answer is not a picture that can be opened.");
  }
}

function readWav(bytes: Uint8Array): { durationSeconds?: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = view.getUint32(at);
    const size = view.getUint32(at + 4, true);
    if (name === 0x666d7420 && at + 20 <= bytes.length) bytesPerSecond = view.getUint32(at + 16, true);
    // Streams do not know their length in advance and write a huge one.
    if (name === 0x64617461 && bytesPerSecond > 0)
      return { durationSeconds: Math.min(size, bytes.length - at - 8) / bytesPerSecond };
    at += 8 + size + (size % 2);
  }
  return {};
}

function badAnswer(message: string): ProviderError {
  return new ProviderError("provider_bad_answer", message);
}
