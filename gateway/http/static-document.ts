// Documents that stay the same while the process runs.
import type { FastifyReply, FastifyRequest } from "fastify";
import { createEncodingChoice, encode, type Encoding, SMALLEST_FIRST } from "./encoding.ts";
import { namesEtag, strongEtag } from "./etag.ts";

const CACHE_CONTROL = "public, max-age=300";

const chooseEncoding = createEncodingChoice(SMALLEST_FIRST);
const encodedForms = new WeakMap<StaticDocument, Map<Encoding, Promise<Buffer | undefined>>>();

export type StaticDocument = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
};

export function staticDocument(
  contentType: string,
  text: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): StaticDocument {
  const body = Buffer.from(text);
  const etag = strongEtag([body.toString("base64")]);
  return {
    body,
    etag,
    headers: { "content-type": contentType, "cache-control": CACHE_CONTROL, etag, ...headers },
  };
}

/**
 * Serves the document, compressed for clients that accept it. If other request headers change it too, its own `vary` says so. Each coding
 * has its own ETag, because a strong ETag identifies bytes.
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: StaticDocument,
): Promise<FastifyReply> {
  const encoding = chooseEncoding(request.headers["accept-encoding"]?.toString());
  const encoded = await bodyOf(document, encoding);
  const etag = encoded ? document.etag.replace(/"$/, `-${encoding}"`) : document.etag;
  reply.headers({ vary: "accept-encoding", ...document.headers, etag });
  if (namesEtag(request.headers["if-none-match"], etag))
    return reply.removeHeader("content-type").code(304).send();
  if (encoded) reply.header("content-encoding", encoding);
  return reply.send(encoded ?? document.body);
}

/** Compressed forms are kept as long as the document. */
function bodyOf(document: StaticDocument, encoding: Encoding): Promise<Buffer | undefined> {
  const forms = encodedForms.get(document) ?? new Map<Encoding, Promise<Buffer | undefined>>();
  encodedForms.set(document, forms);
  const form = forms.get(encoding) ?? encode(document.body, encoding);
  forms.set(encoding, form);
  return form;
}
