// GET /api/jobs/{id}/events: what happens to a job, as it happens, as Server-Sent Events that can be resumed.
import { z } from "zod";
import { jobParams, watchHeaders, watchQuery } from "../answers/path-params.ts";
import { sendJobEvents } from "../answers/send-job-events.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, READ } from "../http/auth.ts";
import { JOB_EVENT } from "../openapi/examples.ts";
import { operation } from "../openapi/operation.ts";

export function jobEventRoutes(
  app: GatewayApp,
  { core, limits, config }: GatewayOptions,
  draining: AbortSignal,
): void {
  app.get(
    "/api/jobs/:id/events",
    operation({
      config: { access: READ, staysOpen: true, envelope: true },
      params: jobParams,
      querystring: watchQuery,
      headers: watchHeaders,
      operationId: "watchJob",
      summary: "Watch a job's events",
      description:
        "Every event from the first, or from where you left off, then new ones as they happen: `id` is the seq, `event` the type, `data` a JobEvent. The stream ends after the last event of the job. At most 20 streams and waits are open for a job at a time, 50 for an account and 100 for an address; one more is rate_limited.",
      tag: "Jobs",
      success: {
        200: {
          description: "The stream.",
          schema: z.string(),
          contentTypes: ["text/event-stream"],
          headers: ["Cache-Control"],
          example: JOB_EVENT,
        },
      },
      bodiless: {
        204: { description: "The job has ended and you have seen all its events: do not reconnect." },
      },
      errors: ["job_not_found"],
    }),
    async (request, reply) =>
      sendJobEvents(request, reply, {
        core,
        limits,
        config,
        draining,
        call: callFor(request),
        jobId: request.params.id,
        afterSeq: request.headers["last-event-id"] ?? request.query.after ?? 0,
      }),
  );
}
