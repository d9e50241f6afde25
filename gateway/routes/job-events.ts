// GET /api/jobs/{id}/events: what happens to a job, as it happens, as Server-Sent Events that can be resumed.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { fromJobEvent } from "../../proto/resources/job.ts";
import type { JobEvent } from "../../proto/types/atelier/v1/JobEvent.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor, READ } from "../auth.ts";
import { clientGone } from "../errors.ts";
import { type StreamedEvent, streamEvents, type StreamTimes } from "../event-stream.ts";
import { JOB_EVENT } from "../examples.ts";
import { describeOperation } from "../operation.ts";
import { queryInteger } from "../query.ts";
import { jobParams } from "./job-params.ts";

const TIMES: StreamTimes = { heartbeatMs: 15_000, stallMs: 30_000, retryMs: 2_000 };
const MAX_SEQ = 2 ** 31 - 1;
const ENDED = ["completed", "failed", "cancelled"];

const seq = queryInteger(0, MAX_SEQ);

export function jobEventRoutes(app: GatewayApp, core: CoreClient, draining: AbortSignal): void {
  app.get(
    "/api/jobs/:id/events",
    {
      config: { access: READ },
      schema: {
        params: jobParams,
        querystring: z.object({
          after: seq.optional().meta({ description: "Start after this seq. Last-Event-ID goes before it." }),
        }),
        headers: z.looseObject({
          "last-event-id": seq
            .optional()
            .meta({ description: "The id of the last event that was received." }),
        }),
        ...describeOperation({
          operationId: "watchJob",
          summary: "Watch a job's events",
          description:
            "Every event from the first, or from where you left off, then new ones as they happen: `id` is the seq, `event` the type, `data` a JobEvent. The stream ends after the last event of the job.",
          tag: "Jobs",
          security: "key",
          success: {
            200: {
              description: "The stream.",
              schema: z.string(),
              contentType: "text/event-stream",
              headers: ["Cache-Control"],
              example: JOB_EVENT,
            },
          },
          bodiless: {
            204: { description: "The job has ended and you have seen all its events: do not reconnect." },
          },
          errors: ["job_not_found"],
        }),
      },
    },
    async (request, reply) => {
      const afterSeq = request.headers["last-event-id"] ?? request.query.after ?? 0;
      // Asked first, because once a stream has begun it can no longer be refused.
      const job = await core.jobs.GetJob({ job_id: request.params.id }, callFor(request));
      const lastSeq = job.events.at(-1)?.seq ?? 0;
      if (ENDED.includes(job.state) && afterSeq >= lastSeq) return reply.code(204).send();
      reply.headers({
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      });
      if (request.method === "HEAD") return reply.send("");

      // A connection that has been a stream is not worth keeping, and would hold up a draining server.
      reply.header("connection", "close");
      const gone = clientGone(reply);
      const signal = AbortSignal.any([gone, draining]);
      const events = core.jobs.WatchJob(
        { job_id: job.job_id, after_seq: afterSeq },
        { ...callFor(request), signal },
      );
      reply.hijack();
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      try {
        await streamEvents(reply.raw, toStreamed(events), TIMES);
      } catch (error) {
        // The answer is under way, so its end is all a client can be told; it reconnects with the last id it has seen.
        if (!signal.aborted && !(error instanceof AppError))
          request.log.error({ err: error }, "event stream broke");
      }
      return reply;
    },
  );
}

async function* toStreamed(events: AsyncIterable<JobEvent>): AsyncGenerator<StreamedEvent> {
  for await (const event of events) yield { id: event.seq, type: event.type, data: fromJobEvent(event) };
}
