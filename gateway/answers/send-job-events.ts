// A job's events as Server-Sent Events: for programs with a key, for a person's page with a session.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { beginStream } from "../../edge/begin-stream.ts";
import { clientGone } from "../../edge/http/client-gone.ts";
import { logFailure } from "../../edge/http/errors.ts";
import { cutWhenStalled } from "../../edge/http/slow-connections.ts";
import type { CallOptions } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";
import { jobEventSchema } from "../../proto/resources/job.ts";
import type { JobEvent } from "../../proto/types/atelier/v1/JobEvent.ts";
import type { GatewayOptions } from "../gateway.ts";
import { type StreamedEvent, streamEvents, type StreamTimes } from "../http/event-stream.ts";

const TIMES: StreamTimes = { heartbeatMs: 15_000, retryMs: 2_000 };
const ENDED = ["completed", "failed", "cancelled"];

export type WatchOptions = Pick<GatewayOptions, "core" | "limits" | "config"> & {
  /** Who asks. */
  call: CallOptions;
  jobId: string;
  /** 0 from the first event on. */
  afterSeq: number;
  /** Ends the stream, because this server goes away. */
  draining: AbortSignal;
};

/**
 * Responds with 204 if there are no more events. Throws rate_limited, job_not_found, and core's other refusals, before the stream has
 * begun.
 */
export async function sendJobEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  options: WatchOptions,
): Promise<FastifyReply> {
  const leave = options.limits.open(request.ip, options.call.caller);
  try {
    return await watch(request, reply, options);
  } finally {
    leave();
  }
}

async function watch(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config, call, jobId, afterSeq, draining }: WatchOptions,
): Promise<FastifyReply> {
  const job = await core.jobs.GetJob({ job_id: jobId }, call);
  const lastSeq = job.events.at(-1)?.seq ?? 0;
  if (ENDED.includes(job.state) && afterSeq >= lastSeq) return reply.code(204).send();
  reply.headers({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  // As a stream, because fastify would count the bytes of anything else and say that there will be none.
  if (request.method === "HEAD") return reply.send(Readable.from([]));

  const gone = clientGone(reply);
  const signal = AbortSignal.any([gone, draining]);
  const events = await beginStream((onBegin) =>
    core.jobs.WatchJob({ job_id: job.job_id, after_seq: afterSeq }, { ...call, signal, onBegin }),
  );
  // A connection that has been a stream is not worth keeping, and would hold up a draining server.
  reply.header("connection", "close");
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  cutWhenStalled(reply.raw, config.stallMs);
  try {
    await streamEvents(reply.raw, toStreamed(events), TIMES);
  } catch (error) {
    // The response has started, so it can only end; the client reconnects with its last event id.
    const status = error instanceof AppError ? ERROR_TABLE[error.code].http : 500;
    if (!signal.aborted && status >= 500) logFailure(error, request, status);
  }
  return reply;
}

async function* toStreamed(events: AsyncIterable<JobEvent>): AsyncGenerator<StreamedEvent> {
  for await (const event of events)
    yield { id: event.seq, type: event.type, data: fromMessage(jobEventSchema, event) };
}
