// The response of a feed: its state in headers, 304 for a client that has it, and its parts as core sends them, so that only a handful of
// products is in memory.
import { pipeline, Readable, type Transform } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import type { OfferBatch } from "../../proto/types/atelier/v1/OfferBatch.ts";
import type { BegunStream } from "../catalog/begin-stream.ts";
import type { CatalogStates } from "../catalog/catalog-state.ts";
import { createEncodingChoice, SMALLEST_FIRST } from "../http/encoding.ts";
import { digestOf, namesEtag } from "../http/etag.ts";
import type { Feed } from "./feed.ts";

/** Increase this when the form of a feed changes, so that cached copies become invalid. */
const FORM = 1;
const SECOND_MS = 1_000;
/** A time in seconds cannot distinguish two changes within one second, and gateways learn of one up to a second later. */
const SETTLED_MS = 2 * SECOND_MS;
const BROTLI_QUALITY = 4;

const OF_THE_FEED = ["content-encoding", "etag", "last-modified"];

const chooseEncoding = createEncodingChoice(SMALLEST_FIRST);

type Sending = {
  /** Names the feed among all. */
  readonly key: string;
  readonly feed: Feed;
  readonly states: Pick<CatalogStates, "current" | "nowMs">;
};

export async function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  batches: BegunStream<OfferBatch>,
  { key, feed, states }: Sending,
): Promise<FastifyReply> {
  const { revision, takes_payments } = (batches.first.value ?? {}) as Partial<OfferBatch>;
  const tag = `"${digestOf([FORM, revision, takes_payments, key])}"`;
  const changedMs = changedAtMs(revision, states);
  // Weak: a product that changes while the feed is read may be in it already.
  reply.headers({ "cache-control": "no-cache", etag: `W/${tag}`, vary: "accept-encoding" });
  if (changedMs !== undefined) reply.header("last-modified", new Date(changedMs).toUTCString());
  const isKnown = isUnchanged(request, tag, changedMs);
  if (isKnown || request.method === "HEAD") {
    await batches.rest.return?.();
    return isKnown ? reply.code(304).send() : reply.type(feed.contentType).send();
  }
  const parts = Readable.from(partsOf(batches, feed), { objectMode: false });
  // What breaks before a byte is sent is refused, and a refusal is none of this.
  parts.once("error", () => {
    if (!reply.raw.headersSent) for (const name of OF_THE_FEED) void reply.removeHeader(name);
  });
  const encoding = chooseEncoding(request.headers["accept-encoding"]?.toString());
  const coder = coderOf(encoding);
  reply.type(feed.contentType);
  if (!coder) return reply.send(parts);
  // Whatever breaks breaks the answer, which fastify notices.
  pipeline(parts, coder, () => {});
  return reply.header("content-encoding", encoding).send(coder);
}

/** When the catalog last changed, where seconds suffice. */
function changedAtMs(
  revision: string | undefined,
  { current, nowMs }: Pick<CatalogStates, "current" | "nowMs">,
): number | undefined {
  const state = current();
  if (!state || state.revision !== revision) return undefined;
  const changedMs = Math.ceil(state.sinceMs / SECOND_MS) * SECOND_MS;
  return nowMs() >= changedMs + SETTLED_MS ? changedMs : undefined;
}

/** Tags count before times (RFC 9110, section 13.2.2). */
function isUnchanged({ headers }: FastifyRequest, tag: string, changedMs: number | undefined): boolean {
  const { "if-none-match": tags, "if-modified-since": since } = headers;
  if (tags !== undefined) return namesEtag(tags, tag);
  return since !== undefined && changedMs !== undefined && Date.parse(since) >= changedMs;
}

function coderOf(encoding: (typeof SMALLEST_FIRST)[number]): Transform | undefined {
  if (encoding === "identity") return undefined;
  if (encoding === "gzip") return createGzip();
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

async function* partsOf(
  { first, rest }: BegunStream<OfferBatch>,
  { head, part, tail }: Feed,
): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  for (let next = first; !next.done; next = await rest.next().catch(asCatalogError)) {
    const text = next.value.offers.map(part).join("");
    if (text !== "") yield Buffer.from(text);
  }
  yield Buffer.from(tail);
}
