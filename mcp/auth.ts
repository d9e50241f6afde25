// Who may use the tools of an endpoint: rate by address, then the key in the database with all it takes to be let in, then rate by key.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Source } from "../proto/caller.ts";
import { AppError } from "../proto/codes.ts";
import { hashApiKey, type KeyKind } from "../runtime/api-key.ts";
import { readBearerKey } from "../runtime/bearer.ts";
import { addressSubject, type LimitName, type RateDecision, type RateLimits } from "../runtime/rate-limit.ts";
import type { Admission } from "./endpoint.ts";
import type { Toolset } from "./tool.ts";

/** Who asks, as core is told; the signal is aborted when the client goes away. */
export type Credential = {
  readonly caller: Caller & { kind: "key" };
  readonly requestId: string;
  readonly signal: AbortSignal;
};

/** What sets the keys of one endpoint apart. */
export type KeyRules = {
  readonly kind: KeyKind;
  readonly source: Source;
  /** Counts every request of a key. */
  readonly limit: LimitName;
  /** Asks core on every request, so that whatever ends a key's rights ends them at once, and gives the tools they are for. Throws AppErrors. */
  readonly authenticate: (credential: Credential) => Promise<Toolset>;
};

/** Admits the holder of a key. Throws AppErrors in the order of the checks. */
export async function admitKey(
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
  { limits, rules }: { limits: RateLimits; rules: KeyRules },
): Promise<Admission> {
  const address = addressSubject(request.ip);
  const blocked = await limits.check("failedKeys", address);
  if (blocked.refusal) pass(blocked, reply, limits);
  const { caller, toolset } = await readKnownKey(request, signal, rules).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === "invalid_key") await limits.count("failedKeys", address);
    throw error;
  });
  pass(await limits.count(rules.limit, caller.keySha256), reply, limits);
  const countGeneration = async (): Promise<void> =>
    limits.enforce(await limits.count("generate", caller.keySha256));
  return { caller, toolset, countGeneration };
}

async function readKnownKey(
  request: FastifyRequest,
  signal: AbortSignal,
  { kind, source, authenticate }: KeyRules,
): Promise<{ caller: Credential["caller"]; toolset: Toolset }> {
  const key = readBearerKey(request.headers.authorization, kind);
  const caller = { kind: "key", keySha256: hashApiKey(key), source } as const;
  return { caller, toolset: await authenticate({ caller, requestId: request.id, signal }) };
}

function pass(decision: RateDecision, reply: FastifyReply, limits: RateLimits): void {
  reply.headers(decision.headers);
  limits.enforce(decision);
}
