// Content codings (RFC 9110, section 8.4): which one a client gets, and how bytes are compressed.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from "node:zlib";

/** For documents that are made once and sent often, the most preferred first. */
export const SMALLEST_FIRST = ["br", "gzip", "identity"] as const;
/** For answers that are made while someone waits: zstd (RFC 8878) takes an eighth of brotli's processor time, and a tenth more bytes. */
export const QUICKEST_FIRST = ["zstd", ...SMALLEST_FIRST] as const;
export type Encoding = (typeof QUICKEST_FIRST)[number];

/** Below this size, the headers weigh more than compression saves. */
const MIN_COMPRESSED_BYTES = 1024;
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
/** Compressing this much with zstd takes a tenth of a millisecond or two, less than handing it to another thread. */
const MAX_SYNC_BYTES = 256 * 1024;
/** Clients repeat one of a few headers, but anyone may send others. */
const MAX_KNOWN_HEADERS = 200;
const MAX_KNOWN_LENGTH = 200;

const ALIASES: Record<string, Encoding> = { "x-gzip": "gzip" };

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
const zstdAsync = promisify(zstdCompress);

/** Chooses by Accept-Encoding, and remembers the choice for each header. */
export function createEncodingChoice<Offered extends Encoding>(
  offered: readonly (Offered | "identity")[],
): (acceptEncoding: string | undefined) => Offered | "identity" {
  const known = new Map<string, Offered | "identity">();
  return (acceptEncoding) => {
    if (acceptEncoding === undefined) return "identity";
    const chosen = known.get(acceptEncoding);
    if (chosen) return chosen;
    const encoding = chooseEncoding(acceptEncoding, offered);
    if (known.size < MAX_KNOWN_HEADERS && acceptEncoding.length <= MAX_KNOWN_LENGTH)
      known.set(acceptEncoding, encoding);
    return encoding;
  };
}

/** The client's preferred coding among those offered; identity if there is none, even if it was refused. */
function chooseEncoding<Offered extends Encoding>(
  acceptEncoding: string,
  offered: readonly (Offered | "identity")[],
): Offered | "identity" {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (name !== "" && Number.isFinite(weight)) weights.set(ALIASES[name] ?? name, weight);
  }
  const anyWeight = weights.get("*");
  let best: Offered | "identity" = "identity";
  let bestWeight = 0;
  for (const encoding of offered) {
    // If it is not named, identity is allowed but not preferred.
    const fallback = encoding === "identity" ? Number.MIN_VALUE : 0;
    const weight = weights.get(encoding) ?? anyWeight ?? fallback;
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

const ENCODERS: Readonly<Record<Exclude<Encoding, "identity">, (body: Buffer) => Promise<Buffer>>> = {
  zstd: async (body) => {
    // A result that is kept is smaller than the body. The default is a buffer of 64 kB, however short the body.
    const options = { chunkSize: body.length };
    return body.length <= MAX_SYNC_BYTES ? zstdCompressSync(body, options) : zstdAsync(body, options);
  },
  gzip: (body) => gzipAsync(body, { level: GZIP_LEVEL }),
  br: (body) =>
    brotliAsync(body, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(body.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
};

/** Returns the bytes in this coding; undefined if that would not make them smaller. */
export async function encode(body: Buffer, encoding: Encoding): Promise<Buffer | undefined> {
  if (encoding === "identity" || body.length < MIN_COMPRESSED_BYTES) return undefined;
  const encoded = await ENCODERS[encoding](body);
  return encoded.length < body.length ? withoutSlack(encoded) : undefined;
}

/** Encoders return the start of a larger buffer. A cache that keeps these bytes would keep all of it, and count less than it holds. */
function withoutSlack(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const exact = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(exact);
  return exact;
}

/** A window that holds the whole body gives the same size in four fifths of the time, because no 4 MB window is allocated. */
function windowBits(length: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(length + 16))));
}
