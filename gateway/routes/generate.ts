// POST /api/v1/connect/generate: one operation for images, videos and audio. It answers as soon as the job is accepted, or holds the answer
// for a client that prefers to wait.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { clientGone } from "../../edge/http/client-gone.ts";
import { fromMessage } from "../../proto/codec.ts";
import { AppError, type ErrorCode } from "../../proto/codes.ts";
import { estimateSchema } from "../../proto/resources/estimate.ts";
import {
  generateDeadline,
  generateRequestSchema,
  generateResultSchema,
  jobSchema,
  toGenerateRequest,
} from "../../proto/resources/job.ts";
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import { readJob } from "../answers/read-job.ts";
import { toResult } from "../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { READ, callFor } from "../http/auth.ts";
import { idempotencyKeyHeader } from "../http/idempotency-key.ts";
import { preferredWait } from "../http/prefer.ts";
import { ESTIMATE, GENERATE_REQUEST, GENERATE_RESULT, JOB } from "../openapi/examples.ts";
import { operation, resultAnswer } from "../openapi/operation.ts";

const headers = z.looseObject({
  "idempotency-key": idempotencyKeyHeader,
  prefer: z
    .string()
    .optional()
    .describe(
      `wait=N (RFC 7240) holds the response until the job has ended, at most N seconds, 1 to ${MAX_WAIT_SECONDS}. The response is then the whole job: 200 if it has ended, otherwise 202. Without Preference-Applied, the response was not held.`,
    ),
});

/** The errors of every request that spends credits. */
export const SPENDING_ERRORS = [
  "insufficient_credits",
  "spend_limit_reached",
  "confirmation_required",
  "confirmation_declined",
  "insufficient_scope",
  "model_not_available",
  "modality_mismatch",
] as const;
/** The errors of a received file. */
export const FILE_ERRORS = [
  "upload_not_found",
  "unsupported_input",
  "upload_too_large",
  "upload_limit_reached",
] as const;

/** The errors of a request for jobs, whether for one or for a workflow. */
export const REFUSALS: readonly ErrorCode[] = [
  ...SPENDING_ERRORS,
  "callback_url_refused",
  ...FILE_ERRORS,
  "input_unreachable",
  "idempotency_mismatch",
  "queue_full",
];

export function generateRoutes(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  const { core, generationBaseUrl } = options;
  app.post(
    "/api/v1/connect/generate",
    operation({
      config: { access: { by: "key", scope: "write", limit: "generate" }, envelope: true },
      headers,
      body: generateRequestSchema,
      operationId: "connectGenerate",
      summary: "Generate an image, a video or audio",
      description:
        "Reserves the credits and creates a job. Follow it with getJob, watchJob or a callback_url. Failed jobs are refunded in full.",
      tag: "Generation",
      requestExample: GENERATE_REQUEST,
      success: {
        200: resultAnswer("With Prefer: wait=N: the job has ended, and this is all of it.", jobSchema, JOB, [
          "Location",
          "Idempotency-Replayed",
          "Preference-Applied",
        ]),
        202: resultAnswer(
          "The job was accepted. With Prefer: wait=N and Preference-Applied in the response: the whole job in its present state.",
          generateResultSchema,
          GENERATE_RESULT,
          ["Location", "Idempotency-Replayed", "Preference-Applied"],
        ),
      },
      errors: REFUSALS,
    }),
    async (request, reply) => {
      const message = toGenerateRequest(request.body, request.headers["idempotency-key"]);
      // A disconnected client gets no job, because it could not know about it.
      const made = await core.jobs.Generate(message, {
        ...callFor(request),
        ...generateDeadline(request.body),
        signal: clientGone(reply),
      });
      if (made.replayed) reply.header("idempotency-replayed", "true");
      reply.header("location", `${generationBaseUrl}/api/jobs/${made.job_id}`);
      const waitSeconds = preferredWait(request.headers.prefer);
      const job =
        waitSeconds && (await waitForNewJob(options, made.job_id, waitSeconds, request, reply, draining));
      if (!job) return reply.code(202).send(toResult(fromMessage(generateResultSchema, made)));
      return reply
        .code(job.ended_at === undefined ? 202 : 200)
        .header("preference-applied", `wait=${waitSeconds}`)
        .send(toResult(fromMessage(jobSchema, job)));
    },
  );
}

/**
 * Returns the job when it has ended or the seconds are over; undefined if the wait failed. The job is accepted and its price held, so
 * anything that ends the wait, including too many waits, must not look like a failure to create the job.
 */
async function waitForNewJob(
  options: GatewayOptions,
  jobId: string,
  waitSeconds: number,
  request: FastifyRequest,
  reply: FastifyReply,
  draining: AbortSignal,
): Promise<Job | undefined> {
  try {
    return await readJob(options, { job_id: jobId, wait_seconds: waitSeconds }, request, reply, draining);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

export function estimateRoutes(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(
    "/api/v1/connect/estimate",
    operation({
      config: { access: READ, envelope: true },
      body: generateRequestSchema,
      operationId: "connectEstimate",
      summary: "Ask what a generation would cost",
      description:
        "Accepts the body of connectGenerate, checks it in the same way and returns the price; nothing is held, written or sent. A request that connectGenerate would refuse permanently is refused here with the same code. Temporary refusals are not: too few credits make affordable false, and a full queue is not checked. A read key is enough.",
      tag: "Generation",
      requestExample: GENERATE_REQUEST,
      success: { 200: resultAnswer("The price.", estimateSchema, ESTIMATE) },
      errors: ["spend_limit_reached", "model_not_available", "modality_mismatch", "callback_url_refused"],
    }),
    async (request, reply) => {
      const message = toGenerateRequest(request.body, undefined);
      const estimate = await core.jobs.Estimate(message, callFor(request));
      return reply.send(toResult(fromMessage(estimateSchema, estimate)));
    },
  );
}
