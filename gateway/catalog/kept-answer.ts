// An answer in the state of the catalog it was made in, kept with its ready bytes for each content coding and what is said about them.
import { encode, type Encoding, QUICKEST_FIRST } from "../http/encoding.ts";
import { digestOf } from "../http/etag.ts";

const MAX_AGE_SECONDS = 30;
const STALE_SECONDS = 300;

export type AnswerContent = {
  readonly body: Buffer;
  readonly contentType: string;
  /** The pattern of its address. */
  readonly route: string;
  readonly revision: string;
  /** From when on the body is wrong; Infinity for never. */
  readonly expiresAtMs: number;
  /** Distinguishes bodies of one revision, for content that is not part of the catalog. */
  readonly tag?: string;
  /** The Link header. */
  readonly link?: string;
  /** Its route has to send it, because its headers are not those of the API. */
  readonly byRouteOnly?: true;
};

export type KeptAnswer = AnswerContent & {
  /** Names it among all answers of the catalog. */
  readonly key: string;
  readonly etags: Etags;
  readonly variants: Map<Encoding, Variant>;
};

/** One for each coding, because equal strong tags promise equal bytes. */
export type Etags = Readonly<Record<Encoding, string>>;

export type Variant = {
  readonly body: Buffer;
  readonly etag: string;
  /** Name, value, name, value; all but Cache-Control, which depends on the time. */
  readonly headers: readonly string[];
};

export type Answer = {
  readonly status: 200 | 304;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: Buffer | undefined;
};

export function createKeptAnswer(key: string, content: AnswerContent): KeptAnswer {
  const etags = etagsOf(content.revision, `${key}${content.tag ?? ""}`);
  return { ...content, key, etags, variants: new Map() };
}

/** Known without the answer itself, so that a client that has it already is answered without any work. */
export function etagsOf(revision: string, key: string): Etags {
  const digest = digestOf([revision, key]);
  return { zstd: `"${digest}-zs"`, br: `"${digest}-br"`, gzip: `"${digest}-gz"`, identity: `"${digest}"` };
}

/** The bytes in this coding, made when they are first wanted. */
export async function prepareVariant(answer: KeptAnswer, encoding: Encoding): Promise<Variant> {
  const known = answer.variants.get(encoding);
  if (known) return known;
  const encoded = await encode(answer.body, encoding);
  const body = encoded ?? answer.body;
  const etag = answer.etags[encoding];
  const headers = [
    "content-type",
    answer.contentType,
    "content-length",
    String(body.length),
    ...(encoded ? ["content-encoding", encoding] : []),
    "etag",
    etag,
    "vary",
    "accept-encoding",
    ...(answer.link === undefined ? [] : ["link", answer.link]),
  ];
  const variant: Variant = { body, etag, headers };
  answer.variants.set(encoding, variant);
  return variant;
}

export function bytesOf(answer: KeptAnswer): number {
  let bytes = answer.body.length + answer.key.length * 2 + (answer.link?.length ?? 0);
  for (const { body } of answer.variants.values()) if (body !== answer.body) bytes += body.length;
  return bytes;
}

export function answerWith({ body, headers }: Variant, expiresAtMs: number, nowMs: number): Answer {
  return { status: 200, headers: [...headers, "cache-control", cacheControl(expiresAtMs, nowMs)], body };
}

/**
 * The 304 for a client that already has one of these; otherwise undefined. `existing` is the ETag that "*" stands for, if a response is
 * known to exist.
 */
export function answerUnchanged(
  ifNoneMatch: string | undefined,
  { etags, existing, expiresAtMs }: { etags: Etags; existing?: string; expiresAtMs: number },
  nowMs: number,
): Answer | undefined {
  if (ifNoneMatch === undefined) return undefined;
  const etag = ifNoneMatch === "*" ? existing : findNamed(ifNoneMatch, etags);
  if (etag === undefined) return undefined;
  const headers = [
    "etag",
    etag,
    "vary",
    "accept-encoding",
    "cache-control",
    cacheControl(expiresAtMs, nowMs),
  ];
  return { status: 304, headers, body: undefined };
}

// The response repeats the client's own ETag, in its coding, so that its cache finds the entry.
function findNamed(ifNoneMatch: string, etags: Etags): string | undefined {
  const hash = etags.identity.slice(1, -1);
  if (!ifNoneMatch.includes(hash)) return undefined;
  const named = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return QUICKEST_FIRST.map((encoding) => etags[encoding]).find((etag) => named.includes(etag));
}

const LONG_CONTROL = `public, max-age=${MAX_AGE_SECONDS}, stale-while-revalidate=${STALE_SECONDS}`;

/** Cache-Control: neither fresh nor "stale, but still usable" beyond the moment at which the answer becomes wrong. */
export function cacheControl(expiresAtMs: number, nowMs: number): string {
  const secondsLeft = Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000));
  if (secondsLeft >= MAX_AGE_SECONDS + STALE_SECONDS) return LONG_CONTROL;
  const maxAge = Math.min(MAX_AGE_SECONDS, secondsLeft);
  const stale = secondsLeft - maxAge;
  return stale > 0
    ? `public, max-age=${maxAge}, stale-while-revalidate=${stale}`
    : `public, max-age=${maxAge}`;
}
