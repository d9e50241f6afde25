// Pages of the catalog as the routes use them: from the cache while the state of the catalog vouches for it, else from core; and the
// answer for a client that needs no page because it has it.
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import type { Logger } from "../../runtime/log.ts";
import type { FindReady } from "../../runtime/http/ready-answers.ts";
import { type CatalogState, followCatalog } from "./catalog-state.ts";
import { createEncodingChoice } from "../http/encoding.ts";
import {
  type Answer,
  answerUnchanged,
  answerWith,
  createPage,
  etagsOf,
  type Page,
  type PageContent,
  prepareVariant,
} from "./page.ts";
import { createPageCache } from "./page-cache.ts";
import { readyAnswer } from "./ready-page.ts";

const MAX_CACHE_BYTES = 64 * 2 ** 20;
/** After this, core counts as away: no request for the catalog hangs. */
export const CATALOG_DEADLINE_MS = 3_000;
const RETRY_SECONDS = 1;

export type Pages = {
  /** An answer that is there already, for a request that was seen before word for word. */
  findReady: FindReady;
  /** 304, when it can be known without core. */
  findUnchanged(request: FastifyRequest, key: string): Answer | undefined;
  /** The page or 304. `ask` asks core; what fails there is catalog_unavailable. */
  answer(request: FastifyRequest, key: string, ask: () => Promise<PageContent>): Promise<Answer>;
  stop(): Promise<void>;
};

export function createPages(core: CoreClient, log: Pick<Logger, "warn" | "info" | "error">): Pages {
  const cache = createPageCache(MAX_CACHE_BYTES);
  const flights = new Map<string, Promise<Page>>();
  const chooseEncoding = createEncodingChoice();
  const states = followCatalog(core, { log, onChange: cache.clear });

  async function load(key: string, ask: () => Promise<PageContent>): Promise<Page> {
    const known = cache.get(key);
    if (known && isCurrent(known, states.current(), states.nowMs())) return known;
    // Many who ask for the same page at once are one question.
    const flight =
      flights.get(key) ??
      fetchPage(key, ask).finally(() => {
        flights.delete(key);
      });
    flights.set(key, flight);
    return flight;
  }

  async function fetchPage(key: string, ask: () => Promise<PageContent>): Promise<Page> {
    const page = createPage(key, await ask().catch(refuse));
    keep(page);
    return page;
  }

  function keep(page: Page): void {
    if (isCurrent(page, states.current(), states.nowMs())) cache.set(page);
  }

  return {
    findReady: ({ url = "", headers }) => {
      const page = cache.find(url);
      const nowMs = states.nowMs();
      if (!page || !isCurrent(page, states.current(), nowMs)) return undefined;
      const variant = page.variants.get(chooseEncoding(encodingsOf(headers)));
      return variant && readyAnswer(page, variant, headers["if-none-match"], nowMs);
    },
    findUnchanged: (request, key) => {
      const ifNoneMatch = request.headers["if-none-match"];
      const state = states.current();
      if (ifNoneMatch === undefined || !state) return undefined;
      // The next edge of any sale is no later than the next one of a product in this page.
      const { revision, nextEdgeMs: expiresAtMs } = state;
      return answerUnchanged(ifNoneMatch, { etags: etagsOf(revision, key), expiresAtMs }, states.nowMs());
    },
    answer: async (request, key, ask) => {
      const page = await load(key, ask);
      const before = page.variants.size;
      const variant = await prepareVariant(page, chooseEncoding(encodingsOf(request.headers)));
      if (page.variants.size > before) keep(page);
      if (!page.byRouteOnly) cache.link(request.raw.url ?? "", page);
      const { etags, expiresAtMs } = page;
      const nowMs = states.nowMs();
      const known = request.headers["if-none-match"];
      return (
        answerUnchanged(known, { etags, existing: variant.etag, expiresAtMs }, nowMs) ??
        answerWith(variant, expiresAtMs, nowMs)
      );
    },
    stop: states.stop,
  };
}

function isCurrent(page: Page, state: CatalogState | undefined, nowMs: number): boolean {
  return state !== undefined && page.revision === state.revision && nowMs < page.expiresAtMs;
}

function encodingsOf({ "accept-encoding": header }: IncomingHttpHeaders): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}

/** What any surface would answer with 503 or 504 is a 500 of its own here. */
export function refuse(error: unknown): never {
  if (error instanceof AppError && ["service_unavailable", "deadline_exceeded"].includes(error.code))
    throw new AppError("catalog_unavailable", {
      retryAfterSeconds: error.retryAfterSeconds ?? RETRY_SECONDS,
    });
  throw error;
}

/** Milliseconds of an RFC 3339 time; empty means never. */
export function toExpiry(expiresAt: string): number {
  return expiresAt === "" ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}
