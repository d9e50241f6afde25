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
