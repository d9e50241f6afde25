// Catalog responses for the routes: from the cache while it is current, else from core; and the 304 for a client that has the response.
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import {
  type FindReady,
  type ReadyAnswer,
  STANDARD_HEADERS,
  readyBody,
} from "../../edge/http/ready-answers.ts";
import type { CoreClient } from "../../proto/client.ts";
import type { Logger } from "../../runtime/log/log.ts";
import { OPEN_HEADERS } from "../http/cors.ts";
import { createEncodingChoice, QUICKEST_FIRST } from "../http/encoding.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { type CatalogState, type CatalogStates, followCatalog } from "./catalog-state.ts";
import {
  type Answer,
  type AnswerContent,
  type KeptAnswer,
  type Variant,
  answerUnchanged,
  answerWith,
  cacheControl,
  createKeptAnswer,
  etagsOf,
  prepareVariant,
} from "./kept-answer.ts";

const MAX_CACHE_BYTES = 64 * 2 ** 20;
/** After this time core counts as away, so that no request for the catalog hangs. */
export const CATALOG_DEADLINE_MS = 3_000;
/** The value is put in when the answer is sent. */
const REQUEST_ID = ["x-request-id", ""] as const;

export type KeptAnswers = {
  /** A cached response for a request that was seen before literally. */
  findReady: FindReady;
  /** 304, when it can be known without core. */
  findUnchanged(request: FastifyRequest, key: string): Answer | undefined;
  /** The answer or 304. `ask` asks core; what fails there is catalog_unavailable. */
  answer(request: FastifyRequest, key: string, ask: () => Promise<AnswerContent>): Promise<Answer>;
  /** The state that is vouched for, and core's time. */
  readonly states: Pick<CatalogStates, "current" | "nowMs">;
  stop(): Promise<void>;
};

export function createKeptAnswers(
  core: CoreClient,
  log: Pick<Logger, "warn" | "info" | "error">,
): KeptAnswers {
  const cache = createAnswerCache(MAX_CACHE_BYTES);
  const flights = new Map<string, Promise<KeptAnswer>>();
  const chooseEncoding = createEncodingChoice(QUICKEST_FIRST);
  const states = followCatalog(core, { log, onChange: cache.clear });

  async function load(key: string, ask: () => Promise<AnswerContent>): Promise<KeptAnswer> {
    const known = cache.get(key);
    if (known && isCurrent(known, states.current(), states.nowMs())) return known;
    // Many who ask for the same answer at the same time are one question.
    const flight =
      flights.get(key) ??
      fetchAnswer(key, ask).finally(() => {
        flights.delete(key);
      });
    flights.set(key, flight);
    return flight;
  }

  async function fetchAnswer(key: string, ask: () => Promise<AnswerContent>): Promise<KeptAnswer> {
    const answer = createKeptAnswer(key, await ask().catch(asCatalogError));
    keep(answer);
    return answer;
  }

  function keep(answer: KeptAnswer): void {
    if (isCurrent(answer, states.current(), states.nowMs())) cache.set(answer);
  }

  return {
    findReady: ({ url = "", headers }) => {
      const answer = cache.find(url);
      const nowMs = states.nowMs();
      if (!answer || !isCurrent(answer, states.current(), nowMs)) return undefined;
      const variant = answer.variants.get(chooseEncoding(encodingsOf(headers)));
      return variant && readyAnswer(answer, variant, headers["if-none-match"], nowMs);
    },
    findUnchanged: (request, key) => {
      const ifNoneMatch = request.headers["if-none-match"];
      const state = states.current();
      if (ifNoneMatch === undefined || !state) return undefined;
      // The next edge of any sale is no later than the next one of a product in this answer.
      const { revision, nextEdgeMs: expiresAtMs } = state;
      return answerUnchanged(ifNoneMatch, { etags: etagsOf(revision, key), expiresAtMs }, states.nowMs());
    },
    answer: async (request, key, ask) => {
      const answer = await load(key, ask);
      const before = answer.variants.size;
      const variant = await prepareVariant(answer, chooseEncoding(encodingsOf(request.headers)));
      if (answer.variants.size > before) keep(answer);
      if (!answer.byRouteOnly) cache.link(request.raw.url ?? "", answer);
      const { etags, expiresAtMs } = answer;
      const nowMs = states.nowMs();
      const known = request.headers["if-none-match"];
      return (
        answerUnchanged(known, { etags, existing: variant.etag, expiresAtMs }, nowMs) ??
        answerWith(variant, expiresAtMs, nowMs)
      );
    },
    states,
    stop: states.stop,
  };
}

function isCurrent(answer: KeptAnswer, state: CatalogState | undefined, nowMs: number): boolean {
  return state !== undefined && answer.revision === state.revision && nowMs < answer.expiresAtMs;
}

function encodingsOf({ "accept-encoding": header }: IncomingHttpHeaders): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}

/** Milliseconds of an RFC 3339 time; empty means never. */
export function toExpiry(expiresAt: string): number {
  return expiresAt === "" ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

const STANDARD: readonly string[] = [...STANDARD_HEADERS, ...Object.entries(OPEN_HEADERS).flat()];

type Ready = { readonly control: string; readonly whole: ReadyAnswer; readonly unchanged: ReadyAnswer };

/** Made when a variant is first wanted, and again when its Cache-Control changes, which is rare. */
const made = new WeakMap<Variant, Ready>();

/** Undefined if a client names tags in any way but the one tag it was given; the routes parse those. */
function readyAnswer(
  answer: KeptAnswer,
  variant: Variant,
  ifNoneMatch: string | undefined,
  nowMs: number,
): ReadyAnswer | undefined {
  const control = cacheControl(answer.expiresAtMs, nowMs);
  let ready = made.get(variant);
  if (ready?.control !== control) {
    ready = makeReady(answer, variant, control);
    made.set(variant, ready);
  }
  if (ifNoneMatch === undefined) return ready.whole;
  return ifNoneMatch === variant.etag ? ready.unchanged : undefined;
}

function makeReady({ route }: KeptAnswer, { headers, body, etag }: Variant, control: string): Ready {
  return {
    control,
    whole: {
      status: 200,
      headers: [...STANDARD, ...headers, "cache-control", control, ...REQUEST_ID],
      body: readyBody(body),
      route,
      limit: "catalog",
    },
    unchanged: {
      status: 304,
      // Only what may have changed; the rest the client has, with the body.
      headers: [
        "access-control-allow-origin",
        OPEN_HEADERS["access-control-allow-origin"],
        "etag",
        etag,
        "vary",
        "accept-encoding",
        "cache-control",
        control,
        ...REQUEST_ID,
      ],
      body: undefined,
      route,
      limit: undefined,
    },
  };
}
