// Reads a job, with a wait for its end: a place is taken for it, it ends when its client goes away, and before this server does.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import { clientGone } from "../../runtime/http/client-gone.ts";
import type { GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";

/** What a waiting call may take beyond its wait. */
const WAIT_GRACE_MS = 10_000;

/** Throws what core throws, and rate_limited if no place is free for a wait. */
export async function readJob(
  { core, limits }: GatewayOptions,
  message: { job_id: string; wait_seconds: number },
  request: FastifyRequest,
  reply: FastifyReply,
  draining: AbortSignal,
): Promise<Job> {
  const call = callFor(request);
  if (message.wait_seconds === 0) return core.jobs.GetJob(message, call);
  const leave = limits.open(request.ip, call.caller);
  const gone = clientGone(reply);
  const deadlineMs = message.wait_seconds * 1000 + WAIT_GRACE_MS;
  try {
    return await core.jobs.GetJob(message, {
      ...call,
      deadlineMs,
      signal: AbortSignal.any([gone, draining]),
    });
  } catch (error) {
    if (gone.aborted || !draining.aborted) throw error;
    // This server is going down: say how the job stands now, so that the client can go on waiting at another.
    return core.jobs.GetJob({ ...message, wait_seconds: 0 }, call);
  } finally {
    leave();
  }
}
