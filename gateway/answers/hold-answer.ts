// A read that waits: it takes a slot, and ends when its client disconnects or this server drains.
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientGone } from "../../edge/http/client-gone.ts";
import type { CallOptions } from "../../proto/client.ts";
import type { GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";

/** The time for a waiting call in addition to its wait. */
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
    // This server is draining: it returns the current state, so that the client can wait at another one.
    return read(0, call);
  } finally {
    leave();
  }
}
