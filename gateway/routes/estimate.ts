// POST /api/v1/connect/estimate: what a generation would cost, and whether it would be accepted. Holds nothing.
import { fromMessage } from "../../proto/codec.ts";
import { estimateSchema } from "../../proto/resources/estimate.ts";
import { generateRequestSchema, toGenerateRequest } from "../../proto/resources/job.ts";
import { resultOf, toResult } from "../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, READ } from "../http/auth.ts";
import { ESTIMATE, GENERATE_REQUEST } from "../openapi/examples.ts";
import { declareOperation } from "../openapi/operation.ts";

export function estimateRoutes(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(
    "/api/v1/connect/estimate",
    {
      config: { access: READ, envelope: true },
      schema: {
        body: generateRequestSchema,
        ...declareOperation({
          operationId: "connectEstimate",
          summary: "Ask what a generation would cost",
          description:
            "Accepts the body of connectGenerate, checks it in the same way and returns the price; nothing is held, written or sent. A request that connectGenerate would refuse permanently is refused here with the same code. Temporary refusals are not: too few credits make affordable false, and a full queue is not checked. A read key is enough.",
          tag: "Generation",
          security: "key",
          requestExample: GENERATE_REQUEST,
          success: {
            200: {
              description: "The price.",
              schema: resultOf(estimateSchema),
              example: toResult(ESTIMATE),
            },
          },
          errors: ["spend_limit_reached", "model_not_available", "modality_mismatch", "callback_url_refused"],
        }),
      },
    },
    async (request, reply) => {
      const message = toGenerateRequest(request.body, undefined);
      const estimate = await core.jobs.Estimate(message, callFor(request));
      return reply.send(toResult(fromMessage(estimateSchema, estimate)));
    },
  );
}
