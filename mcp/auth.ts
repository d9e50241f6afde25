// Who may use the generation tools: rate by address, then the key in the database, its scope and plan, then rate by key.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../proto/caller.ts";
import type { CoreClient } from "../proto/client.ts";
import { AppError } from "../proto/codes.ts";
import { hashApiKey } from "../runtime/api-key.ts";
import { readBearerKey } from "../runtime/bearer.ts";
import { addressSubject, type RateDecision, type RateLimits } from "../runtime/rate-limit.ts";
import type { Admission } from "./endpoint.ts";
import type { Toolset } from "./tool.ts";

type Dependencies = { core: CoreClient; limits: RateLimits; toolset: Toolset };

/** Admits the holder of a generation key with write scope. Throws AppErrors in the order of the checks. */
export async function admitGenerationKey(
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
  { core, limits, toolset }: Dependencies,
): Promise<Admission> {
  const address = addressSubject(request.ip);
  const blocked = await limits.check("failedKeys", address);
  if (blocked.refusal) pass(blocked, reply, limits);
  const key = await readKnownKey(request, signal, core).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === "invalid_key") await limits.count("failedKeys", address);
    throw error;
  });
  pass(await limits.count("api", key.keySha256), reply, limits);
  const countGeneration = async (): Promise<void> =>
    limits.enforce(await limits.count("generate", key.keySha256));
  return { caller: key, toolset, countGeneration };
}

async function readKnownKey(
  request: FastifyRequest,
  signal: AbortSignal,
  core: CoreClient,
): Promise<Caller & { kind: "key" }> {
  const key = readBearerKey(request.headers.authorization, "gen");
  const caller = { kind: "key", keySha256: hashApiKey(key), source: "mcp" } as const;
  // Every request asks the database, so that a revocation or a change of plan bites at once.
  await core.accounts.Authenticate({ required_scope: "write" }, { caller, requestId: request.id, signal });
  return caller;
}

function pass(decision: RateDecision, reply: FastifyReply, limits: RateLimits): void {
  reply.headers(decision.headers);
  limits.enforce(decision);
}
