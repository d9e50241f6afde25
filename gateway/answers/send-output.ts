// A file that a job made, whole or in part, for whoever may read it: programs with a key or a signed address, a person's page with a session.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import type { OutputHead } from "../../proto/types/atelier/v1/OutputHead.ts";
import type { ReadOutputRequestInput } from "../../proto/types/atelier/v1/ReadOutputRequest.ts";
import { parseByteRange } from "../http/byte-range.ts";
import { cutWhenStalled } from "../http/cut-stalled.ts";
import { clientGone } from "../../runtime/http/client-gone.ts";
import { namesEtag } from "../http/etag.ts";
import type { GatewayOptions } from "../gateway.ts";

const HEAD_DEADLINE_MS = 10_000;

// What a browser may show by itself; anything else is offered as a download.
const EXTENSIONS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/mp4": "m4a",
  "audio/aac": "aac",
  "video/mp4": "mp4",
  "video/webm": "webm",
};

/** What models make; a new one may make another kind, which octet-stream stands for to clients that are made from the document. */
export const OUTPUT_TYPES = ["application/octet-stream", ...Object.keys(EXTENSIONS)];

export type OutputAddress = Required<Pick<ReadOutputRequestInput, "job_id" | "output_id">> &
  Pick<ReadOutputRequestInput, "signed">;

type DataMessage = { readonly data: Uint8Array };

export type OutputOptions = Pick<GatewayOptions, "core" | "config"> & {
  /** Who asks, where no signature says so. */
  call: CallOptions;
  asked: OutputAddress;
  /** Default: its reader may keep the file for as long as we do. */
  cacheControl?: string;
};

/** Throws not_found, the same for a file that never was, is another account's or has expired; range_not_satisfiable. */
export async function sendOutput(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config, call: caller, asked, cacheControl }: OutputOptions,
): Promise<FastifyReply> {
  const call = { ...caller, signal: clientGone(reply) };
  const head = await readHead(core, asked, call);
  const etag = `"${head.sha256}"`;
  const headers = {
    ...fileHeaders(head, etag, asked.output_id),
    ...(cacheControl !== undefined && { "cache-control": cacheControl }),
  };
  if (namesEtag(request.headers["if-none-match"], etag)) return reply.headers(headers).code(304).send();

  const range = parseByteRange(rangeHeader(request, etag), head.bytes);
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${head.bytes}`);
    throw new AppError("range_not_satisfiable");
  }
  const part = range ?? { first: 0, last: head.bytes - 1 };
  const length = part.last - part.first + 1;
  // For a HEAD no byte is read. An empty file has no bytes to ask for: a length of 0 would mean "to the end".
  const body =
    request.method === "HEAD" || length === 0
      ? []
      : await openBody(core.jobs.ReadOutput({ ...asked, offset: part.first, length }, call));
  reply.headers(headers).header("content-length", length);
  if (range) reply.code(206).header("content-range", `bytes ${range.first}-${range.last}/${head.bytes}`);
  cutWhenStalled(reply.raw, config.stallMs);
  // Also without a byte a stream, because fastify would count those of anything else.
  return reply.send(Readable.from(body, { objectMode: false }));
}

/** The bytes once core has let the reader in. Throws its refusal, which can still be told then. */
async function openBody(messages: AsyncIterable<DataMessage>): Promise<AsyncIterable<Uint8Array>> {
  const rest = messages[Symbol.asyncIterator]();
  const first = (await rest.next()).value as DataMessage | undefined;
  return dataOf(first, rest);
}

async function readHead(
  core: CoreClient,
  asked: ReadOutputRequestInput,
  call: CallOptions,
): Promise<OutputHead> {
  for await (const { head } of core.jobs.ReadOutput(
    { ...asked, head_only: true },
    { ...call, deadlineMs: HEAD_DEADLINE_MS },
  )) {
    if (head) return head;
  }
  throw new AppError("not_found");
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

function fileHeaders(head: OutputHead, etag: string, outputId: string): Record<string, string> {
  const secondsLeft = Math.max(0, Math.floor((Date.parse(head.expires_at) - Date.now()) / 1000));
  const extension = EXTENSIONS[head.mime_type];
  return {
    "content-type": head.mime_type,
    "content-disposition": extension
      ? `inline; filename="${outputId}.${extension}"`
      : `attachment; filename="${outputId}"`,
    "cache-control": `private, max-age=${secondsLeft}, immutable`,
    "accept-ranges": "bytes",
    // Whatever a provider made, it runs no script under our name.
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    etag,
  };
}
