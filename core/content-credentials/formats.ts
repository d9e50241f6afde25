// Kinds of files that can carry Content Credentials.

/** By media type. The library signs each of them and reads it again. */
export const SIGNABLE_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/avif",
  "image/heic",
  "image/heif",
  "image/tiff",
  "video/mp4",
  "video/quicktime",
  "audio/mp4",
  "audio/wav",
  "audio/mpeg",
  "audio/flac",
]);

/** The same: a file of another kind has no manifest that could be read. */
export const READABLE_TYPES = SIGNABLE_TYPES;
