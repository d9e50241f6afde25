// The kinds of files that can carry Content Credentials.

/** By media type: what the library signs and reads. */
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
