// Sends a file from core, whole or in ranges, to an authorized reader, with ETags, and cuts off stalled readers.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cutWhenStalled } from "../../edge/http/slow-connections.ts";
import { AppError } from "../../proto/codes.ts";
import { parseByteRange } from "../http/byte-range.ts";
import { namesEtag } from "../http/etag.ts";

/** For core's first message about a file. */
export const HEAD_DEADLINE_MS = 10_000;

type DataMessage = { readonly data: Uint8Array };

export type SentFile = {
  /** Of the whole file. */
  readonly bytes: number;
  readonly sha256: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly stallMs: number;
  /** Asks core for a part of it. The first message may be a head without data. */
  read(part: { offset: number; length: number }): AsyncIterable<DataMessage>;
};

/** Throws range_not_satisfiable, and what `read` throws before the first byte. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, sha256, headers, stallMs, read }: SentFile,
): Promise<FastifyReply> {
  const etag = `"${sha256}"`;
  const all = { ...headers, ...COMMON, etag };
  if (namesEtag(request.headers["if-none-match"], etag)) return reply.headers(all).code(304).send();

  const range = parseByteRange(rangeHeader(request, etag), bytes);
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${bytes}`);
    throw new AppError("range_not_satisfiable");
  }
  const part = range ?? { first: 0, last: bytes - 1 };
  const length = part.last - part.first + 1;
  // For a HEAD no byte is read. An empty file has no bytes to ask for: a length of 0 would mean "to the end".
  const body =
    request.method === "HEAD" || length === 0 ? [] : await openBody(read({ offset: part.first, length }));
  reply.headers(all).header("content-length", length);
  if (range) reply.code(206).header("content-range", `bytes ${range.first}-${range.last}/${bytes}`);
  cutWhenStalled(reply.raw, stallMs);
  // Also without a byte a stream, because fastify would count those of anything else.
  return reply.send(Readable.from(body, { objectMode: false }));
}

const COMMON = {
  "accept-ranges": "bytes",
  // Its contents run no script on this origin.
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
} as const;

/** The bytes once core has authorized the reader. Throws core's refusal, before the response has started. */
async function openBody(messages: AsyncIterable<DataMessage>): Promise<AsyncIterable<Uint8Array>> {
  const rest = messages[Symbol.asyncIterator]();
  const first = (await rest.next()).value as DataMessage | undefined;
  return dataOf(first, rest);
}

async function* dataOf(
  first: DataMessage | undefined,
  rest: AsyncIterator<DataMessage>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let message = first; message; message = (await rest.next()).value as DataMessage | undefined)
      if (message.data.length > 0) yield message.data;
  } finally {
    await rest.return?.();
  }
}

/** The Range header, unless If-Range names another version of the file. */
function rangeHeader(request: FastifyRequest, etag: string): string | undefined {
  const ifRange = request.headers["if-range"];
  return ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
}
