// A file sent as the body of a request, handed to core piece by piece; nothing of it is kept here.
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientGone } from "../../edge/http/client-gone.ts";
import { FILE_TIMEOUT_MS } from "../../edge/http/server.ts";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { type UploadResource, uploadSchema } from "../../proto/resources/upload.ts";
import type { UploadPartInput } from "../../proto/types/atelier/v1/UploadPart.ts";
import type { Config } from "../../runtime/config/config.ts";
import type { GatewayApp } from "../gateway.ts";

/** Bodies in this scope are raw bytes, whatever the media type says. */
export function takeFiles(app: GatewayApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => done(null, body));
}

/** For the routes of such a scope. */
export const TAKES_FILE = { takesFile: true } as const;

/** `beginning` says what the bytes belong to; by default, a new upload of the caller. Throws core's refusals. */
export async function takeFile(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    core,
    config,
    call,
    beginning = {},
    file,
  }: {
    core: CoreClient;
    config: Config;
    call: CallOptions;
    beginning?: Omit<UploadPartInput, "data">;
    /** Where the file is not the whole body. */
    file?: AsyncIterable<Buffer>;
  },
): Promise<UploadResource> {
  // Who may not send was refused before this.
  if (request.headers.expect !== undefined) reply.raw.writeContinue();
  const upload = await core.uploads.AddUpload(partsOf(request, beginning, config, file), {
    ...call,
    signal: clientGone(reply),
    deadlineMs: FILE_TIMEOUT_MS,
  });
  return fromMessage(uploadSchema, upload);
}

async function* partsOf(
  request: FastifyRequest,
  beginning: Omit<UploadPartInput, "data">,
  pace: Pace,
  file?: AsyncIterable<Buffer>,
): AsyncGenerator<UploadPartInput> {
  yield beginning;
  yield* piecesOf(request, pace, file);
}

type Pace = {
  /** A sender who falls behind by so much is cut off. */
  readonly stallMs: number;
  /** Until then each piece makes up for every wait, and after that for the time that it takes at `leastBytesPerMs`. */
  readonly freeBytes?: number;
  readonly leastBytesPerMs?: number;
};

/** The file as it arrives, at the sender's pace. */
export async function* piecesOf(
  { raw, body }: FastifyRequest,
  { stallMs, freeBytes = Infinity, leastBytesPerMs = 1 }: Pace,
  file: AsyncIterable<Buffer> = raw,
): AsyncGenerator<{ data: Buffer }> {
  // Without a body there is nothing to wait for.
  if (body === undefined || body === null) return;
  const pieces = file[Symbol.asyncIterator]();
  let bytes = 0;
  let leftMs = stallMs;
  try {
    for (;;) {
      const sinceMs = performance.now();
      const { done, value: data } = await within(raw, leftMs, pieces.next());
      if (done) return;
      bytes += data.length;
      const gainedMs = bytes > freeBytes ? data.length / leastBytesPerMs : stallMs;
      leftMs = Math.min(stallMs, leftMs - (performance.now() - sinceMs) + gainedMs);
      yield { data };
    }
  } catch {
    // The sender has disconnected, or was cut off.
    throw new DOMException("the sender went away", "AbortError");
  } finally {
    await pieces.return?.();
  }
}

/** Ends the connection of a sender whose time is over. */
function within<T>({ socket }: IncomingMessage, ms: number, next: Promise<T>): Promise<T> {
  const timer = setTimeout(() => socket.destroy(), ms).unref();
  return next.finally(() => clearTimeout(timer));
}
