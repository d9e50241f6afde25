// GET /api/jobs/{id}/outputs/{output_id}: the file itself, whole or in part, for a key or for whoever holds the signed URL.
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import type { OutputHead } from "../../proto/types/atelier/v1/OutputHead.ts";
import type { ReadOutputRequestInput } from "../../proto/types/atelier/v1/ReadOutputRequest.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor } from "../auth.ts";
import { parseByteRange } from "../byte-range.ts";
import { clientGone } from "../errors.ts";
import { namesEtag } from "../etag.ts";
import { describeOperation, type ResponseHeaderName } from "../operation.ts";
import { outputParams } from "./job-params.ts";

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

const signedQuery = z.object({
  account: z.string().optional().describe("Part of a signed URL."),
  expires: z.string().optional().describe("Part of a signed URL: seconds since 1970 at which it ends."),
  signature: z.string().optional().describe("Part of a signed URL."),
});

const file = z.string().meta({ format: "binary" });
const FILE_HEADERS: ResponseHeaderName[] = ["Accept-Ranges", "Cache-Control", "Content-Disposition", "ETag"];

export function outputRoutes(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/jobs/:id/outputs/:output_id",
    {
      config: { access: { by: "key-or-signature", scope: "read", limit: "api" } },
      schema: {
        params: outputParams,
        querystring: signedQuery,
        ...describeOperation({
          operationId: "getOutput",
          summary: "Fetch a file",
          description:
            "The file of one output, with the key of its account or by the signed URL of the job record. One range of bytes can be asked for; HEAD answers the headers alone.",
          tag: "Outputs",
          security: "key-or-signature",
          success: {
            200: { description: "The whole file.", schema: file, contentType: "*/*", headers: FILE_HEADERS },
            206: {
              description: "The range asked for.",
              schema: file,
              contentType: "*/*",
              headers: [...FILE_HEADERS, "Content-Range"],
            },
          },
          bodiless: {
            304: {
              description: "You have it already: the ETag in If-None-Match is right.",
              headers: ["ETag"],
            },
          },
          errors: ["not_found", "job_not_found", "range_not_satisfiable"],
        }),
      },
    },
    async (request, reply) => {
      const asked = {
        job_id: request.params.id,
        output_id: request.params.output_id,
        ...signedAccess(request.query),
      };
      const call = { ...callFor(request), signal: clientGone(reply) };
      const head = await readHead(core, asked, call);
      const etag = `"${head.sha256}"`;
      const headers = fileHeaders(head, etag, asked.output_id);
      if (namesEtag(request.headers["if-none-match"], etag)) return reply.headers(headers).code(304).send();

      const range = parseByteRange(rangeHeader(request, etag), head.bytes);
      if (range === "unsatisfiable") {
        reply.header("content-range", `bytes */${head.bytes}`);
        throw new AppError("range_not_satisfiable");
      }
      reply.headers(headers);
      const part = range ?? { first: 0, last: head.bytes - 1 };
      const length = part.last - part.first + 1;
      reply.header("content-length", length);
      if (range) reply.code(206).header("content-range", `bytes ${range.first}-${range.last}/${head.bytes}`);
      // For a HEAD no byte is read, and fastify would count those of anything but a stream. An empty file has no bytes to ask
      // for: a length of 0 would mean "to the end".
      if (request.method === "HEAD" || length === 0) return reply.send(Readable.from([]));
      const chunks = core.jobs.ReadOutput({ ...asked, offset: part.first, length }, call);
      return reply.send(Readable.from(dataOf(chunks), { objectMode: false }));
    },
  );
}

function signedAccess({
  account = "",
  expires = "",
  signature,
}: z.output<typeof signedQuery>): Pick<ReadOutputRequestInput, "signed"> {
  if (signature === undefined) return {};
  // What is not a number was not signed by us: 0 has expired, so core answers it like any other wrong signature.
  return { signed: { account, expires: /^\d{1,15}$/.test(expires) ? Number(expires) : 0, signature } };
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

async function* dataOf(chunks: AsyncIterable<{ data: Uint8Array }>): AsyncGenerator<Uint8Array> {
  for await (const { data } of chunks) {
    if (data.length > 0) yield data;
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
