// Documents that stay the same while the process runs.
import type { FastifyReply, FastifyRequest } from "fastify";
import { namesEtag, strongEtag } from "./etag.ts";

const CACHE_CONTROL = "public, max-age=300";

export type StaticDocument = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
};

export function staticDocument(
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): StaticDocument {
  const etag = strongEtag([text]);
  return {
    body: Buffer.from(text),
    etag,
    headers: { "content-type": contentType, "cache-control": CACHE_CONTROL, etag, ...headers },
  };
}

export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, headers, etag }: StaticDocument,
): Promise<FastifyReply> {
  reply.headers(headers);
  if (!namesEtag(request.headers["if-none-match"], etag)) return reply.send(body);
  return reply.removeHeader("content-type").code(304).send();
}
