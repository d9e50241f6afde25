// The delivery log of a job's webhooks and of all webhooks, resending a delivery, and test events.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import {
  deliverySchema,
  deliveryStatusSchema,
  testEventRequestSchema,
} from "../../proto/resources/callback.ts";
import { eventSchema } from "../../proto/resources/event.ts";
import { jobIdFilterSchema } from "../../proto/resources/page.ts";
import { jobParams } from "../answers/path-params.ts";
import { toList, toResult } from "../answers/result.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor, READ, WRITE } from "../http/auth.ts";
import { pageQuery, queryWhole } from "../http/query.ts";
import { DELIVERY, EVENT, NEW_DELIVERY, TEST_DELIVERY } from "../openapi/examples.ts";
import { operation, listAnswer, resultAnswer } from "../openapi/operation.ts";

/** How long the receiver may take to answer, and core in addition. */
const TEST_DEADLINE_MS = 20_000;

export function callbackRoutes(app: GatewayApp, core: CoreClient): void {
  eventsOfAccount(app, core);
  ofAccount(app, core);
  ofJob(app, core);
}

function eventsOfAccount(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/events",
    operation({
      config: { access: READ, envelope: true },
      querystring: z.object({
        limit: pageQuery.limit,
        after: queryWhole(0).default(0).describe("seq of the last event that you know. 0: the oldest."),
      }),
      operationId: "listAccountEvents",
      summary: "List the account's events",
      description:
        "The events that the account's endpoints receive, in order, for clients without a public address. Events are kept for 30 days. They are recorded from your first request, or your first endpoint, on; a job is included if it was accepted after that. Ask again with after set to the seq of the last event: numbers have no gaps, and no event appears later below a number that you have seen.",
      tag: "Callbacks",
      success: {
        200: listAnswer(
          "Events after this number. next_cursor is the after of the next page; null if there are no more yet.",
          eventSchema,
          EVENT,
        ),
      },
    }),
    async (request, reply) => {
      const { limit, after } = request.query;
      const page = await core.callbacks.ListEvents({ limit, after: String(after) }, callFor(request));
      const events = fromMessages(eventSchema, page.events);
      return reply.send(toList(events, page.has_more ? String(events.at(-1)?.seq ?? after) : ""));
    },
  );
}

function ofAccount(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/callbacks",
    operation({
      config: { access: READ, envelope: true },
      querystring: z.object({
        ...pageQuery,
        status: deliveryStatusSchema.optional().describe("Only deliveries with this status."),
        job_id: jobIdFilterSchema.optional().describe("Only those of this job."),
      }),
      operationId: "listDeliveries",
      summary: "Read the delivery log of all webhooks",
      description:
        "Every delivery of the account with every attempt, test events included, those of the newest jobs first. A page reads a bounded number of jobs, so it may hold fewer deliveries than limit, or none, and still have a next_cursor. Only next_cursor null is the end.",
      tag: "Callbacks",
      success: { 200: listAnswer("A page of deliveries.", deliverySchema, DELIVERY) },
    }),
    async (request, reply) => {
      const { limit, cursor = "", status = "", job_id = "" } = request.query;
      const asked = { limit, cursor, status, job_id };
      const page = await core.callbacks.ListOwnDeliveries(asked, callFor(request));
      return reply.send(toList(fromMessages(deliverySchema, page.deliveries), page.next_cursor));
    },
  );

  app.post(
    "/api/callbacks/test",
    operation({
      config: { access: WRITE, envelope: true },
      body: testEventRequestSchema,
      operationId: "sendTestEvent",
      summary: "Send a test event",
      description:
        "Sends one event `test` to the URL immediately, signed and with the headers of every webhook; its body has null in place of the job. The response reports what the endpoint returned: status and milliseconds, never its body. The event is not retried, and nothing else happens. An account may send 30 test events and resends per minute.",
      tag: "Callbacks",
      requestExample: { callback_url: DELIVERY.url },
      success: {
        200: resultAnswer(
          "The delivery with its only attempt and the result.",
          deliverySchema,
          TEST_DELIVERY,
        ),
      },
      errors: ["insufficient_scope", "callback_url_refused"],
    }),
    async (request, reply) => {
      const call = { ...callFor(request), deadlineMs: TEST_DEADLINE_MS };
      const delivery = await core.callbacks.SendTestEvent(request.body, call);
      return reply.send(toResult(fromMessage(deliverySchema, delivery)));
    },
  );
}

function ofJob(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/jobs/:id/callbacks",
    operation({
      config: { access: READ, envelope: true },
      params: jobParams,
      operationId: "listCallbacks",
      summary: "Read the delivery log of a job's webhook",
      description:
        "Every delivery with every attempt: when, which status came back, how long it took. The first is the automatic one, the others were requested; all have the delivery_id that the endpoint sees.",
      tag: "Callbacks",
      success: { 200: listAnswer("All deliveries.", deliverySchema, DELIVERY) },
      errors: ["job_not_found"],
    }),
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
    operation({
      config: { access: WRITE, bodyOptional: true, envelope: true },
      params: jobParams,
      operationId: "redeliverCallback",
      summary: "Resend a job's webhook",
      description:
        "Resends the job's last event immediately under the same delivery_id, so that an endpoint that ignores repeats ignores it. While a delivery is pending, that one is sent and no other is queued. A job can be resent 10 times, and an account may ask 30 times per minute. The request needs no body.",
      tag: "Callbacks",
      success: { 202: resultAnswer("The delivery that is sent.", deliverySchema, NEW_DELIVERY) },
      errors: ["insufficient_scope", "job_not_found", "job_not_ended"],
    }),
    async (request, reply) => {
      const delivery = await core.callbacks.Redeliver({ job_id: request.params.id }, callFor(request));
      return reply.code(202).send(toResult(fromMessage(deliverySchema, delivery)));
    },
  );
}
