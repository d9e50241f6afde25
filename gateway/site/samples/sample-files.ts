// GET /samples/{file}: the sample files in files/, which are small enough to be kept in memory.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../../proto/codes.ts";
import { parseByteRange } from "../../http/byte-range.ts";
import { OPEN } from "../../http/crawlers.ts";
import { namesEtag } from "../../http/etag.ts";
import { sendDocument, type StaticDocument, staticDocument } from "../../http/static-document.ts";
import { SAMPLES_PATH } from "./samples.ts";

const FOLDER = fileURLToPath(new URL("files/", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
  ".mp4": "video/mp4",
  ".wav": "audio/wav",
};
const HEADERS = {
  "cache-control": "public, max-age=604800",
  "accept-ranges": "bytes",
  // An SVG that is opened directly is a page of our origin, so it needs a strict policy.
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
};

type SampleFile = {
  readonly body: Buffer;
  readonly etag: string;
  readonly contentType: string;
  readonly drawing: StaticDocument | undefined;
};

export function sampleRoutes(app: FastifyInstance): void {
  const files = readFiles();
  app.get<{ Params: { file: string } }>(`${SAMPLES_PATH}/:file`, OPEN, async (request, reply) => {
    const file = files.get(request.params.file);
    if (!file) throw new AppError("not_found");
    const { body, etag, contentType } = file;
    // The waveform of a sound is text and compresses to an eighth.
    if (file.drawing) return sendDocument(request, reply, file.drawing);
    reply.headers({ ...HEADERS, etag });
    if (namesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    // Players send range requests.
    const range = parseByteRange(request.headers.range, body.length);
    if (range === "unsatisfiable") {
      reply.header("content-range", `bytes */${body.length}`);
      throw new AppError("range_not_satisfiable");
    }
    reply.header("content-type", contentType);
    if (!range) return reply.send(body);
    const { first, last } = range;
    return reply
      .code(206)
      .header("content-range", `bytes ${first}-${last}/${body.length}`)
      .send(body.subarray(first, last + 1));
  });
}

function readFiles(): ReadonlyMap<string, SampleFile> {
  return new Map(
    readdirSync(FOLDER).map((name) => {
      const body = readFileSync(FOLDER + name);
      const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
      const contentType = TYPES[extname(name)] ?? "application/octet-stream";
      const { "accept-ranges": _parts, ...headers } = HEADERS;
      const drawing = name.endsWith(".svg") ? staticDocument(contentType, body, headers) : undefined;
      return [name, { body, etag, contentType, drawing }];
    }),
  );
}
