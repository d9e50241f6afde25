// Tells running work that nobody waits for its answer any more.
import type { FastifyReply } from "fastify";

/** Aborted when the client goes away before its answer is complete. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
