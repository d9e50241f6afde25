// A job's events as Server-Sent Events, whoever may see the job: for programs with a key, for a person's page with a session.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallOptions, CoreClient } from "../proto/client.ts";
import { AppError } from "../proto/codes.ts";
import { fromJobEvent } from "../proto/resources/job.ts";
import type { JobEvent } from "../proto/types/atelier/v1/JobEvent.ts";
import { clientGone } from "./errors.ts";
import { type StreamedEvent, streamEvents, type StreamTimes } from "./event-stream.ts";

const TIMES: StreamTimes = { heartbeatMs: 15_000, stallMs: 30_000, retryMs: 2_000 };
const ENDED = ["completed", "failed", "cancelled"];

export type WatchOptions = {
  core: CoreClient;
  /** Who asks. */
  call: CallOptions;
  jobId: string;
  /** 0 from the first event on. */
  afterSeq: number;
  /** Ends the stream, because this server goes away. */
  draining: AbortSignal;
};

/** Answers 204 where nothing is left to be told. Throws job_not_found, and what else core refuses, before the stream has begun. */
export async function sendJobEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, call, jobId, afterSeq, draining }: WatchOptions,
): Promise<FastifyReply> {
  // Asked first, because once a stream has begun it can no longer be refused.
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

  // A connection that has been a stream is not worth keeping, and would hold up a draining server.
  reply.header("connection", "close");
  const gone = clientGone(reply);
  const signal = AbortSignal.any([gone, draining]);
  const events = core.jobs.WatchJob({ job_id: job.job_id, after_seq: afterSeq }, { ...call, signal });
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
}

async function* toStreamed(events: AsyncIterable<JobEvent>): AsyncGenerator<StreamedEvent> {
  for await (const event of events) yield { id: event.seq, type: event.type, data: fromJobEvent(event) };
}
