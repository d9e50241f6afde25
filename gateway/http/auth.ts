// Who calls: the key's form and the rate limits are checked here. Core checks the key itself in the same call that does the work.
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { inForm, REFUSAL_TYPE } from "../../edge/http/errors.ts";
import type { KeyGuard, SentKey } from "../../edge/http/key-guard.ts";
import { OVERLOADED } from "../../edge/http/load.ts";
import type { RateLimits } from "../../edge/http/rate-limit.ts";
import { prepareShed, type Shed } from "../../edge/http/shed.ts";
import { readSentKey } from "../../edge/sent-key.ts";
import { type Caller, NO_CALLER } from "../../proto/caller.ts";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { toApiError } from "../../proto/resources/error.ts";
import { addressSubject } from "../../runtime/networks.ts";
import { OPEN_HEADERS } from "./cors.ts";

/** What a route requires of its caller. */
export type Access = {
  /** "key-or-signature": a signed URL, which core checks, is accepted too. "none": anyone. */
  by: "key" | "key-or-signature" | "none";
  scope: "read" | "write";
  /** Counted for each key, or for each address if there is no key. */
  limit: "generate" | "api" | "catalog" | "verifications" | "paymentEvents";
  /** The request ends work instead of adding some, so it is accepted during overload too. */
  endsWork?: true;
};

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
    /** The answer is a stream that holds a permit for as long as it is open. */
    staysOpen?: boolean;
  }
  interface FastifyRequest {
    /** Who holds the key; undefined until it has been read, and if none is needed. */
    caller: Caller | undefined;
  }
}

export const READ: Access = { by: "key", scope: "read", limit: "api" };
export const WRITE: Access = { by: "key", scope: "write", limit: "api" };
export const CANCEL: Access = { ...WRITE, endsWork: true };
export const PUBLIC: Access = { by: "none", scope: "read", limit: "catalog" };

/** The metadata of every call to core for this request. */
export function callFor(request: FastifyRequest): CallOptions {
  return { caller: request.caller ?? NO_CALLER, requestId: request.id };
}

/**
 * Checks every request of the routes in this scope, by their `config.access`, before its body is read. `guard` is left out if nothing is
 * limited.
 */
export function checkAccess(
  app: FastifyInstance,
  { core, limits, guard }: { core: CoreClient; limits: RateLimits; guard: KeyGuard<object> | undefined },
): void {
  app.decorateRequest("caller");
  app.addHook("onRoute", ({ url, method, config }) => {
    if (config?.access && !config.access.endsWork && !/[:*]/.test(url))
      for (const name of [method].flat()) app.sheds.set(`${name} ${url}`, shedOf(url, config));
  });
  app.addHook("onRequest", async (request, reply) => {
    const { access, staysOpen } = request.routeOptions.config;
    if (!access) return;
    if (!access.endsWork) limits.admit();
    if (access.by === "none" || (access.by === "key-or-signature" && isSigned(request)))
      return countAddress(request, reply, limits, access.limit);
    // The answer to a key is for its holder alone; a route can override this.
    reply.header("cache-control", "private, no-cache");
    const keySha256 = readSentKey(request.raw, "gen");
    const caller = { kind: "key", keySha256, source: "api" } as const;
    // Core checks the key with the call that does the work. For a key that core has not accepted recently, the gateway asks first.
    if (guard && !guard.lastAnswer(keySha256)) {
      const call = { caller, requestId: request.id };
      const ask = () => core.accounts.Authenticate({ required_scope: access.scope }, call);
      await guard.prove(sentKey(request, keySha256), ask, (decision) => limits.enforce(decision, reply));
    }
    request.caller = caller;
    limits.enforce(await limits.count(access.limit, keySha256), reply);
    // The permit is taken later; refusing many requests must cost as little as possible.
    if (staysOpen) limits.checkOpen(request.ip, caller);
  });
}

/** What the route sends during overload. */
function shedOf(url: string, { envelope }: FastifyContextConfig): Shed {
  return prepareShed({ headers: { ...OPEN_HEADERS, "content-type": REFUSAL_TYPE } }, (requestId) =>
    JSON.stringify(inForm(url, OVERLOADED.code, toApiError(OVERLOADED, requestId), envelope)),
  );
}

/** Counts a request for the rate of its address. Throws rate_limited. */
export async function countAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
  limit: Access["limit"],
): Promise<void> {
  limits.enforce(await limits.count(limit, addressSubject(request.ip)), reply);
}

/** The client's address as the guard of keys knows it. */
export function sentKey(request: FastifyRequest, keySha256: string): SentKey {
  const isFromPage = request.headers.origin !== undefined;
  return { keySha256, address: addressSubject(request.ip), isFromPage };
}

function isSigned(request: FastifyRequest): boolean {
  return typeof request.query === "object" && request.query !== null && "signature" in request.query;
}
