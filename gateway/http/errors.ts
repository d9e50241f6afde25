// The gateway's additions to the server's error handling: an invalid key is reported before an invalid body, and invalid keys are counted.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendError, toAppError } from "../../edge/http/errors.ts";
import { isBadKey, type KeyGuard } from "../../edge/http/key-guard.ts";
import type { CoreClient } from "../../proto/client.ts";
import type { ErrorCode } from "../../proto/codes.ts";
import { callFor, sentKey } from "./auth.ts";

/** Raised from the contents of a request, before core was asked anything. */
const ABOUT_CONTENTS: readonly ErrorCode[] = [
  "invalid_json",
  "invalid_request",
  "body_too_large",
  "unsupported_media_type",
];
/** Raised where a route that writes reads first, for which core requires a lesser scope. */
const OF_FIRST_READS: readonly ErrorCode[] = ["model_not_available", "job_not_found"];

export function answerErrors(
  app: FastifyInstance,
  core: CoreClient,
  guard: KeyGuard<object> | undefined,
): void {
  app.setErrorHandler(async (error, request, reply) => {
    const answer = needsKeyCheck(error, request) ? await findKeyError(error, request, core) : error;
    const { caller } = request;
    if (guard && caller?.kind === "key" && isBadKey(answer))
      await guard.noteBad(sentKey(request, caller.keySha256));
    return sendError(answer, request, reply);
  });
}

/** If core has not seen the key with this scope yet, it is asked now, so that such a key never learns whether its body was right. */
async function findKeyError(error: unknown, request: FastifyRequest, core: CoreClient): Promise<unknown> {
  const { access } = request.routeOptions.config;
  if (!request.caller || !access) return error;
  try {
    await core.accounts.Authenticate({ required_scope: access.scope }, callFor(request));
    return error;
  } catch (keyError) {
    return keyError;
  }
}

function needsKeyCheck(error: unknown, { routeOptions }: FastifyRequest): boolean {
  const code = toAppError(error)?.code;
  if (code === undefined) return false;
  if (ABOUT_CONTENTS.includes(code) || isFromValidation(error)) return true;
  return routeOptions.config.access?.scope === "write" && OF_FIRST_READS.includes(code);
}

// fastify sets this when a validator refuses; a malformed job id is answered as job_not_found, which core raises too.
function isFromValidation(error: unknown): boolean {
  return typeof error === "object" && error !== null && "validationContext" in error;
}
