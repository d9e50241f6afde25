// Events of accounts, and the endpoints that receive them, as clients see them.
import { z } from "zod";
import { ACCOUNT_EVENTS, TEST_EVENT } from "./callback.ts";
import { generateRequestSchema, jobSchema } from "./job.ts";
import { openEnum } from "./open-enum.ts";
import { pageLimitSchema, DEFAULT_PAGE } from "./page.ts";
import { workflowCallbackSchema } from "./workflow.ts";

export type AccountEvent = (typeof ACCOUNT_EVENTS)[number];

/** What an endpoint can ask for: one event, or all of a kind. */
export const EVENT_TYPES = [
  ...new Set(ACCOUNT_EVENTS.map((event) => `${event.slice(0, event.indexOf("."))}.*`)),
  ...ACCOUNT_EVENTS,
];
export const MAX_ENDPOINTS = 20;
export const ENDPOINT_CHANGES = ["rotate", "enable", "remove"] as const;
export const ENDPOINT_STATUSES = ["enabled", "disabled"] as const;

const dataSchema = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .describe(
    "Ids and numbers of what the event is about: job_id, workflow_id, order_id, key_id, credits_available and others.",
  );

export const eventSchema = z
  .object({
    event_id: z.string().describe("The same in every delivery of the event."),
    seq: z
      .number()
      .int()
      .min(1)
      .describe("Its number in the account, without gaps. Ask for the next events after it."),
    event: openEnum(ACCOUNT_EVENTS),
    created_at: z.iso.datetime(),
    data: dataSchema,
  })
  .meta({ id: "AccountEvent" });
export type EventResource = z.output<typeof eventSchema>;

/** Query of GET /api/events. */
export const eventsQuerySchema = z.object({
  after: z
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe("The seq of the last event that you know; 0 for the oldest."),
  limit: pageLimitSchema.default(DEFAULT_PAGE),
});

/** Body of the POST that an endpoint of the account receives. */
export const eventDeliverySchema = z
  .object({
    event: openEnum([...ACCOUNT_EVENTS, TEST_EVENT]),
    delivery_id: z
      .string()
      .describe("As in the headers. A resend keeps it, so you can ignore an id that you have seen."),
    created_at: z.iso.datetime(),
    account_id: z
      .string()
      .describe("The account whose event it is. Compare it before you trust a v1a signature."),
    endpoint_id: z.string().describe("The endpoint that the delivery is for."),
    event_id: z.string().optional().describe("The id of GET /api/events. Absent from a test event."),
    seq: eventSchema.shape.seq.optional(),
    data: dataSchema,
    job: jobSchema.optional().describe("The job as it ended, in events of jobs."),
    receipt: z.string().optional().describe("The signed receipt of the job (JWS)."),
    workflow: workflowCallbackSchema.shape.workflow
      .optional()
      .describe("The workflow as it ended, in events of workflows."),
  })
  .meta({ id: "AccountEventDelivery" });

/** What the owner gives when adding an endpoint. */
export const newEndpointSchema = z.strictObject({
  url: generateRequestSchema.shape.callback_url.unwrap(),
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length),
});

export const endpointSchema = z
  .object({
    endpoint_id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    status: z.enum(ENDPOINT_STATUSES),
    created_at: z.iso.datetime(),
    failing_since: z.iso.datetime().nullable(),
  })
  .meta({ id: "Endpoint" });
export type EndpointResource = z.output<typeof endpointSchema>;
