// The requests that the service makes to a callback_url, as the webhooks of the OpenAPI document describe them.
import { callbackSchema, TEST_EVENT, testEventSchema } from "../../proto/resources/callback.ts";
import { eventDeliverySchema } from "../../proto/resources/event.ts";
import { workflowCallbackSchema } from "../../proto/resources/workflow.ts";
import { WORKFLOW } from "./examples-workflow.ts";
import { EVENT, JOB } from "./examples.ts";

/** Conditioned on the operation's request: the same requests as the webhooks, for generators that only support callbacks. */
const TO_CALLBACK_URL = "{$request.body#/callback_url}";

type Parameter = { name: string; in: "header"; required: true; description: string; schema: object };

function header(name: string, description: string, schema: object = { type: "string" }): Parameter {
  return { name, in: "header", required: true, description, schema };
}

const EXAMPLE = {
  event: "job.completed",
  delivery_id: "dlv_01JZ8Q4M3V6X9T2B7N5D8KAYEF",
  created_at: JOB.ended_at,
  job: JOB,
};

type Body =
  | typeof callbackSchema
  | typeof workflowCallbackSchema
  | typeof testEventSchema
  | typeof eventDeliverySchema;

function bodyOf(schema: Body, example: object): object {
  const ref = `#/components/schemas/${schema.meta()?.id ?? ""}`;
  return { required: true, content: { "application/json": { schema: { $ref: ref }, example } } };
}

const SIGNED_HEADERS = [
  header("x-service-event", "The event of the body."),
  header(
    "x-service-signature",
    "sha256= and the HMAC-SHA256 of the raw body in lower-case hex, keyed with the UTF-8 bytes of the account's webhook secret as it is shown.",
    { type: "string", pattern: "^sha256=[0-9a-f]{64}$" },
  ),
  header("x-service-delivery", "The delivery_id of the body."),
  header("webhook-id", "As Standard Webhooks has it: the delivery_id."),
  header(
    "webhook-timestamp",
    "As Standard Webhooks has it: when this attempt was made, in seconds since 1970.",
    {
      type: "integer",
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  ),
  header(
    "webhook-signature",
    "As Standard Webhooks has it: v1, and the HMAC-SHA256 in base64 of webhook-id, webhook-timestamp and the raw body, joined by dots, keyed with the base64-decoded part of the secret after whsec_. During a rotation, one for each secret, separated by a space.",
  ),
];

export const CALLBACK_OPERATION = {
  operationId: "receiveCallback",
  summary: "A job has ended",
  description: `Sent to the job's callback_url. Verify one of the two signatures over the body as it arrived, byte by byte, before you read it.

Answer 2xx within 10 seconds. Any other answer, or none, is tried again after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h, each a little later at random; a Retry-After is honoured, 410 ends it, and redirects are not followed. The same delivery may come more than once: its id stays the same.`,
  tags: ["Callbacks"],
  security: [],
  parameters: SIGNED_HEADERS,
  requestBody: bodyOf(callbackSchema, EXAMPLE),
  responses: {
    "2XX": { description: "Delivered. The body of the response is neither stored nor shown." },
    "410": { description: "The endpoint is gone: no further attempt is made." },
    default: { description: "Tried again." },
  },
};

/** The outcome of the webhook is unknown when it is sent. */
const { callback: _sent, ...ENDED } = WORKFLOW;

export const WORKFLOW_OPERATION = {
  ...CALLBACK_OPERATION,
  operationId: "receiveWorkflowCallback",
  summary: "A workflow has ended",
  description:
    "Sent once to the workflow's callback_url, when all of its steps have ended; signed and retried like the webhook of a job. With callback_on_steps, the webhook of each step goes to the same URL.",
  requestBody: bodyOf(workflowCallbackSchema, {
    event: "workflow.completed",
    delivery_id: "dlv_01JZ8Q4M3T2R5V8X1Z4B7D9FHK_001",
    created_at: WORKFLOW.ended_at,
    workflow: ENDED,
  }),
};

export const TEST_OPERATION = {
  ...CALLBACK_OPERATION,
  operationId: "receiveTestEvent",
  summary: "A test event",
  description:
    "Sent once, to the address that POST /api/callbacks/test names, with the headers and signatures of every webhook. Verify it in the same way and respond with 2xx within 10 seconds; it is not retried.",
  requestBody: bodyOf(testEventSchema, { ...EXAMPLE, event: TEST_EVENT, job: null }),
  responses: {
    "2XX": { description: "The endpoint works." },
    default: { description: "Told to who asked for the test. Nothing is sent again." },
  },
};

export const EVENT_OPERATION = {
  ...CALLBACK_OPERATION,
  operationId: "receiveEvent",
  summary: "An event of the account",
  description:
    "Sent to the endpoints of the account's webhook settings, signed with the secret of the endpoint and retried like the webhook of a job. webhook-signature has a v1a signature too: Ed25519 over the same bytes, with a key of /.well-known/jwks.json. That key signs for all accounts, so compare account_id with your account's id before you trust a v1a signature. An endpoint that fails for seven days is disabled.",
  requestBody: bodyOf(eventDeliverySchema, {
    event: EVENT.event,
    delivery_id: `dlv_${EVENT.event_id.slice(4)}-01JZ8Q4M3T2R5V8X1Z4B7D9FHK_001`,
    created_at: EVENT.created_at,
    account_id: "acc_01JZ8Q4M3T2R5V8X1Z4B7D9FHA",
    endpoint_id: "whe_01JZ8Q4M3T2R5V8X1Z4B7D9FHK",
    event_id: EVENT.event_id,
    seq: EVENT.seq,
    data: EVENT.data,
    job: JOB,
  }),
};

function callback(name: string, operation: typeof TEST_OPERATION | typeof CALLBACK_OPERATION): object {
  // Every operationId of a document is its own.
  const post = { ...operation, operationId: `${operation.operationId}At` };
  return { [name]: { [TO_CALLBACK_URL]: { post } } };
}

/** The callbacks of operations with a callback_url, by operationId. */
export const CALLBACKS: Readonly<Record<string, object>> = {
  connectGenerate: callback("jobEnded", CALLBACK_OPERATION),
  runWorkflow: callback("workflowEnded", WORKFLOW_OPERATION),
  sendTestEvent: callback("receiverTried", TEST_OPERATION),
};
