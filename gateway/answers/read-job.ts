// Reads a job, with a wait for its end.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallOptions } from "../../proto/client.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { GatewayOptions } from "../gateway.ts";
import { holdAnswer } from "./hold-answer.ts";

/** Throws what core throws, and rate_limited if no place is free for a wait. */
export function readJob(
  { core, limits }: GatewayOptions,
  { job_id, wait_seconds: waitSeconds }: { job_id: string; wait_seconds: number },
  request: FastifyRequest,
  reply: FastifyReply,
  draining: AbortSignal,
): Promise<Job> {
  const read = (wait_seconds: number, call: CallOptions) => core.jobs.GetJob({ job_id, wait_seconds }, call);
  return holdAnswer({ limits }, { waitSeconds, read }, request, reply, draining);
}
