// POST /api/v1/connect/generate: one operation for images, videos and audio. Answers as soon as the job is accepted.
import { fromMessage } from "../../proto/codec.ts";
import { z } from "zod";
import {
  generateDeadline,
  generateResultSchema,
  generateRequestSchema,
  idempotencyKeySchema,
  toGenerateRequest,
} from "../../proto/resources/job.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";
import { clientGone } from "../../runtime/http/client-gone.ts";
import { GENERATE_REQUEST, GENERATE_RESULT } from "../openapi/examples.ts";
import { declareOperation } from "../openapi/operation.ts";
import { resultOf, toResult } from "../answers/result.ts";

const headers = z.looseObject({
  "idempotency-key": idempotencyKeySchema
    .optional()
    .describe("Your own name for this request. Repeating the request with it never makes a second job."),
});

export function generateRoutes(app: GatewayApp, { core, generationBaseUrl }: GatewayOptions): void {
  app.post(
    "/api/v1/connect/generate",
    {
      config: { access: { by: "key", scope: "write", limit: "generate" }, envelope: true },
      schema: {
        headers,
        body: generateRequestSchema,
        ...declareOperation({
          operationId: "connectGenerate",
          summary: "Generate an image, a video or audio",
          description:
            "Reserves the credits and makes a job. Follow it with getJob, watchJob or a callback_url. Failed jobs give their credits back in full.",
          tag: "Generation",
          security: "key",
          requestExample: GENERATE_REQUEST,
          success: {
            202: {
              description: "The job was accepted.",
              schema: resultOf(generateResultSchema),
              headers: ["Location", "Idempotency-Replayed"],
              example: toResult(GENERATE_RESULT),
            },
          },
          errors: [
            "insufficient_credits",
            "spend_limit_reached",
            "insufficient_scope",
            "model_not_available",
            "modality_mismatch",
            "callback_url_refused",
            "idempotency_mismatch",
            "queue_full",
          ],
        }),
      },
    },
    async (request, reply) => {
      const message = toGenerateRequest(request.body, request.headers["idempotency-key"]);
      // No job for a client that has gone: it never heard of it, and could not tell it from one that was not made.
      const made = await core.jobs.Generate(message, {
        ...callFor(request),
        ...generateDeadline(request.body),
        signal: clientGone(reply),
      });
      if (made.replayed) reply.header("idempotency-replayed", "true");
      return reply
        .code(202)
        .header("location", `${generationBaseUrl}/api/jobs/${made.job_id}`)
        .send(toResult(fromMessage(generateResultSchema, made)));
    },
  );
}
