// Callback deliveries as clients see them.
import { z } from "zod";
import { generateRequestSchema, jobSchema } from "./job.ts";
import { openEnum } from "./open-enum.ts";

export const CALLBACK_EVENTS = ["job.completed", "job.failed", "job.cancelled"] as const;
export const WORKFLOW_EVENTS = ["workflow.completed", "workflow.failed", "workflow.cancelled"] as const;
/** The events that endpoints of an account can receive. */
export const ACCOUNT_EVENTS = [
  ...CALLBACK_EVENTS,
  ...WORKFLOW_EVENTS,
  "order.fulfilled",
  "order.refused",
  "order.refunded",
  "order.disputed",
  "credits.low",
  "key.created",
  "key.revoked",
  "key.limit",
] as const;
export const TEST_EVENT = "test";
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export const deliveryStatusSchema = z.enum(DELIVERY_STATUSES);

export const deliverySchema = z
  .object({
    delivery_id: z
      .string()
      .describe(
        "The id that the endpoint sees as x-service-delivery and webhook-id; every resend of the job's end keeps it.",
      ),
    redelivery: z
      .number()
      .int()
      .min(0)
      .describe("0: sent automatically when the job ended. 1, 2, …: resent at your request."),
    job_id: z
      .string()
      .nullable()
      .describe("The job that ended, of a delivery to its callback_url; null for all others."),
    workflow_id: z.string().optional().describe("The workflow that ended; absent for other events."),
    event_id: z
      .string()
      .optional()
      .describe("The event of GET /api/events; absent unless it went to an endpoint of the account."),
    endpoint_id: z
      .string()
      .optional()
      .describe("The endpoint of the account that it is for; absent for a callback_url."),
    event: openEnum([...ACCOUNT_EVENTS, TEST_EVENT]),
    url: z.string(),
    status: deliveryStatusSchema,
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable(),
    attempts: z.array(
      z
        .object({
          number: z.number().int(),
          at: z.iso.datetime(),
          http_status: z.number().int().nullable().describe("null when no answer came."),
          duration_ms: z.number().int(),
          error: z.string().nullable(),
        })
        .meta({ id: "DeliveryAttempt" }),
    ),
  })
  .meta({ id: "Delivery" });

/** Body of the POST that a callback_url receives. */
export const callbackSchema = z
  .object({
    event: openEnum(CALLBACK_EVENTS),
    delivery_id: z
      .string()
      .describe("As in the headers. A resend keeps it, so you can ignore an id that you have seen."),
    created_at: z.iso.datetime(),
    job: jobSchema.describe("The job as it ended."),
    receipt: z
      .string()
      .optional()
      .describe("The signed receipt of the job (JWS). Absent where the service signs none."),
  })
  .meta({ id: "Callback" });

/** Body of the POST that tests a receiver. */
export const testEventSchema = z
  .object({
    event: z.literal(TEST_EVENT),
    delivery_id: z.string().describe("As in the headers."),
    created_at: z.iso.datetime(),
    job: z.null().describe("A test event is about no job."),
  })
  .meta({ id: "TestEvent" });

/** Body of POST /api/callbacks/test. */
export const testEventRequestSchema = z
  .strictObject({ callback_url: generateRequestSchema.shape.callback_url.unwrap() })
  .meta({ id: "TestEventRequest" });

export type DeliveryResource = z.output<typeof deliverySchema>;
