// Reads something that is waited for: a place is taken for the wait, it ends when its client goes away, and before this server does.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallOptions } from "../../proto/client.ts";
import { clientGone } from "../../edge/http/client-gone.ts";
import type { GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";

/** What a waiting call may take beyond its wait. */
const WAIT_GRACE_MS = 10_000;

/** Throws what `read` throws, and rate_limited if no place is free for a wait. */
export async function holdAnswer<T>(
  { limits }: Pick<GatewayOptions, "limits">,
  { waitSeconds, read }: { waitSeconds: number; read: (seconds: number, call: CallOptions) => Promise<T> },
  request: FastifyRequest,
  reply: FastifyReply,
  draining: AbortSignal,
): Promise<T> {
  const call = callFor(request);
  if (waitSeconds === 0) return read(0, call);
  const leave = limits.open(request.ip, call.caller);
  const gone = clientGone(reply);
  const deadlineMs = waitSeconds * 1000 + WAIT_GRACE_MS;
  try {
    return await read(waitSeconds, { ...call, deadlineMs, signal: AbortSignal.any([gone, draining]) });
  } catch (error) {
    if (gone.aborted || !draining.aborted) throw error;
    // This server is going down: say how it stands now, so that the client can go on waiting at another.
    return read(0, call);
  } finally {
    leave();
  }
}
