// The delivery log of a job's callback, and delivering it again.
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import type { CoreClient } from "../../proto/client.ts";
import { deliverySchema } from "../../proto/resources/callback.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor, READ, WRITE } from "../http/auth.ts";
import { DELIVERY, NEW_DELIVERY } from "../openapi/examples.ts";
import { declareOperation } from "../openapi/operation.ts";
import { listOf, resultOf, toList, toResult } from "../answers/result.ts";
import { jobParams } from "../answers/job-params.ts";

export function callbackRoutes(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/jobs/:id/callbacks",
    {
      config: { access: READ, envelope: true },
      schema: {
        params: jobParams,
        ...declareOperation({
          operationId: "listCallbacks",
          summary: "Read the delivery log of a job's callback",
          description:
            "Every delivery with every attempt: when, which status came back, how long it took. The first is the automatic one, the others were asked for; all have the delivery_id that the receiver sees.",
          tag: "Callbacks",
          security: "key",
          success: {
            200: {
              description: "All deliveries.",
              schema: listOf(deliverySchema),
              example: toList([DELIVERY]),
            },
          },
          errors: ["job_not_found"],
        }),
      },
    },
    async (request, reply) => {
      const { deliveries } = await core.callbacks.ListDeliveries(
        { job_id: request.params.id },
        callFor(request),
      );
      return reply.send(toList(fromMessages(deliverySchema, deliveries)));
    },
  );

  app.post(
    "/api/jobs/:id/callbacks/redeliver",
    {
      config: { access: WRITE, bodyOptional: true, envelope: true },
      schema: {
        params: jobParams,
        ...declareOperation({
          operationId: "redeliverCallback",
          summary: "Deliver a job's callback again",
          description:
            "Sends the job's last event once more, at once and under the same delivery_id, so that a receiver that drops repeats drops what it has. While a delivery is pending that one is sent, and no other queued. A job can be delivered again 10 times, and an account may ask 30 times a minute. Needs no body.",
          tag: "Callbacks",
          security: "key",
          success: {
            202: {
              description: "The delivery that is sent.",
              schema: resultOf(deliverySchema),
              example: toResult(NEW_DELIVERY),
            },
          },
          errors: ["insufficient_scope", "job_not_found", "job_not_ended"],
        }),
      },
    },
    async (request, reply) => {
      const delivery = await core.callbacks.Redeliver({ job_id: request.params.id }, callFor(request));
      return reply.code(202).send(toResult(fromMessage(deliverySchema, delivery)));
    },
  );
}
