// Files on their way to readers: limits how many at a time, and cuts them into pieces that fit a message.
import { createPermits, type Permits } from "../../../runtime/permits.ts";
import type { App } from "../app.ts";

/** The bytes of a file in one message. Streams hold sixteen messages at each end, for as long as their reader lets them. */
const PIECE_BYTES = 32 * 1024;

/** Permits for files that are being read, by account. */
export function createDownloads(app: App): Permits<"account"> {
  const { rateLimits, downloadsPerAccount } = app.config;
  const most = rateLimits ? downloadsPerAccount : Number.POSITIVE_INFINITY;
  return createPermits({ account: { most, words: "files of this account being read" } });
}

export async function* inMessages(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const data of bytes)
    for (let at = 0; at < data.length; at += PIECE_BYTES) yield data.subarray(at, at + PIECE_BYTES);
}
