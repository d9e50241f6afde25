// Jobs as clients see them, on REST and MCP alike: their schemas, and how they are read from core's messages.
import { z } from "zod";
import { toMessage } from "../codec.ts";
import type { GenerateRequestInput } from "../types/atelier/v1/GenerateRequest.ts";
import { openEnum } from "./open-enum.ts";
import { pricedBySchema } from "./pricing.ts";

export const MODALITIES = ["image", "video", "audio"] as const;
export type Modality = (typeof MODALITIES)[number];
export const JOB_STATES = ["reserved", "running", "cancelling", "completed", "failed", "cancelled"] as const;

/** The types of a job's events, in the order of a job's life, with the content of `detail`. */
export const JOB_EVENTS = {
  reserved: { meaning: "The job was accepted, and its price is held.", detail: "" },
  debited: { meaning: "The hold was captured, before the provider is called.", detail: "" },
  running: { meaning: "A worker started the job.", detail: "" },
  progress: {
    meaning: "The provider reported progress.",
    detail: "`fraction` from 0 to 1, or `position` in the provider's queue",
  },
  retrying: {
    meaning: "The job continues after a problem.",
    detail: "`reason`; where known `message`, `try`, `wait_seconds`, `provider`",
  },
  cancelling: { meaning: "Cancellation of the running job was requested.", detail: "" },
  completed: {
    meaning: "The outputs are stored.",
    detail:
      "`outputs`: their ids; where less was delivered than asked for, also `delivered`, `credits_charged` and `credits_refunded`",
  },
  released: { meaning: "The job never started, and its hold was released.", detail: "" },
  refunded: {
    meaning:
      "The price was refunded in full: the job failed or was cancelled, or an operator refunded it later. The refund of what was not delivered belongs to `completed`.",
    detail: "",
  },
  failed: { meaning: "The job failed.", detail: "`code` and `message`, as in the job's `error`" },
  cancelled: { meaning: "The job was cancelled.", detail: "" },
} as const;
type JobEventType = keyof typeof JOB_EVENTS;
const JOB_EVENT_TYPES = Object.keys(JOB_EVENTS) as [JobEventType, ...JobEventType[]];

/** The reasons of a retrying event. */
export const RETRY_REASONS = {
  worker_lost: "The worker's lease ended. Another worker took the job over.",
  fallback: "The provider failed. The next provider of the model is called.",
  provider_unavailable: "The provider is not reachable or is paused. The job waits.",
  provider_failed: "The provider failed. It is called again.",
  provider_bad_answer: "The provider's response had no usable file. It is called again.",
} as const;
export type RetryReason = keyof typeof RETRY_REASONS;

export const MAX_PROMPT_CHARACTERS = 4000;
const MAX_CALLBACK_URL = 2048;
const MAX_EXPIRES_IN_SECONDS = 24 * 60 * 60;
/** No operator can keep files longer. */
export const MAX_KEEP_DAYS = 365;
export const MAX_METADATA_PAIRS = 20;
const MAX_METADATA_KEY = 64;
const MAX_METADATA_VALUE = 512;

export const modalitySchema = z.enum(MODALITIES);
export const jobStateSchema = z.enum(JOB_STATES);
/** The form in answers. */
const shownState = (about = "") => openEnum(JOB_STATES, about);

// U+0000 and lone surrogates cannot be stored or sent as UTF-8 without changing the text.
const text = z
  .string()
  .refine((value) => value.isWellFormed(), {
    error: "contains half of a surrogate pair; send well-formed Unicode",
  })
  .refine((value) => !value.includes("\u0000"), { error: "contains a NUL character" });

export const metadataKeySchema = text.max(MAX_METADATA_KEY);
export const metadataValueSchema = text.max(MAX_METADATA_VALUE);

/** Body of POST /api/v1/connect/generate and arguments of connect_generate. Unknown fields are refused. */
export const generateRequestSchema = z
  .strictObject({
    modality: modalitySchema.describe("What to make."),
    model_slug: z.string().min(1).max(100).describe("A slug from GET /api/models."),
    prompt: text
      .refine((value) => value.length > 0 && value.trim().length > 0, { error: "must not be empty" })
      .refine((value) => characters(value) <= MAX_PROMPT_CHARACTERS, {
        error: `must be at most ${MAX_PROMPT_CHARACTERS} characters`,
      })
      .meta({
        description: `What to generate: 1 to ${MAX_PROMPT_CHARACTERS} characters, or the model's own limit.`,
        minLength: 1,
        maxLength: MAX_PROMPT_CHARACTERS,
      }),
    callback_url: z
      .string()
      .max(MAX_CALLBACK_URL)
      .refine((value) => URL.canParse(value), { error: "must be an absolute URL" })
      .optional()
      .meta({ description: "Called with a signed POST when the job ends.", format: "uri" }),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Options of the model, as its params_schema describes them."),
    metadata: z
      .record(metadataKeySchema, metadataValueSchema)
      .refine((pairs) => Object.keys(pairs).length <= MAX_METADATA_PAIRS, {
        error: `must have at most ${MAX_METADATA_PAIRS} pairs`,
      })
      .optional()
      .meta({
        description: "Your own strings, returned with the job and its webhook.",
        maxProperties: MAX_METADATA_PAIRS,
      }),
    max_credits: z.number().int().min(0).optional().describe("Refuse the job where it would cost more."),
    allow_partial: z
      .boolean()
      .optional()
      .describe(
        "false: the job fails, with a full refund, unless everything was delivered. Default true: it completes with what was delivered and refunds the rest.",
      ),
    expires_in: z
      .number()
      .int()
      .min(1)
      .max(MAX_EXPIRES_IN_SECONDS)
      .optional()
      .describe(
        "Seconds to wait for a free slot. A job that has not started by then fails with the code expired and a full refund. A step of a workflow waits from when the steps before it have completed. Default 24 hours.",
      ),
    keep_days: z
      .number()
      .int()
      .min(1)
      .max(MAX_KEEP_DAYS)
      .optional()
      .describe("Days to keep the files, at most and by default the operator's maximum, usually 30."),
  })
  .meta({ id: "GenerateRequest" });

/** The request that one job fulfils. */
export type JobRequest = z.output<typeof generateRequestSchema>;

export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters");

/** Unicode code points, which is what a person would count as the length of a prompt. */
export function characters(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

export const generateResultSchema = z
  .object({
    job_id: z.string(),
    state: shownState("reserved for a new job."),
    modality: modalitySchema,
    model_slug: z.string(),
    credits_reserved: z.number().int(),
    estimated_seconds: z.number(),
  })
  .meta({ id: "GenerateResult" });

export const jobEventSchema = z
  .object({
    seq: z.number().int().min(1).describe("From 1, without gaps."),
    type: openEnum(JOB_EVENT_TYPES),
    state: shownState("State of the job after this event."),
    at: z.iso.datetime(),
    ledger_entry_id: z.string().optional().describe("The ledger entry written with this event."),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "JobEvent" });

/** Small lists: at most twelve entries each. */
export const understoodSchema = z
  .object({
    drawn: z
      .array(z.string())
      .describe(
        'Words of the prompt that the picture shows. A stand-in is named: "fax (drawn as: printer)".',
      ),
    not_drawn: z.array(z.string()).describe("Things and styles of the prompt that it does not show."),
  })
  .meta({ id: "Understood" });

export const thumbnailSchema = z
  .object({
    url: z.url().describe("Signed and expiring, as that of the file."),
    mime_type: z.string().describe("image/webp."),
    width: z.number().int(),
    height: z.number().int(),
    bytes: z.number().int(),
  })
  .meta({ id: "Thumbnail" });

export const CONTENT_CREDENTIALS = ["signed", "unsupported", "failed", "off"] as const;
export type ContentCredentialsState = (typeof CONTENT_CREDENTIALS)[number];

export const outputSchema = z
  .object({
    output_id: z.string(),
    url: z.url().describe("Signed and expiring; also opens with the account's key."),
    mime_type: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    duration_seconds: z.number().nullable(),
    expires_at: z.iso.datetime().describe("When the file itself is removed, or was."),
    deleted_at: z.iso
      .datetime()
      .optional()
      .describe(
        "When its owner deleted the file, which can then no longer be read. Absent if it was not deleted.",
      ),
    content_credentials: z
      .enum(CONTENT_CREDENTIALS)
      .optional()
      .describe(
        "Whether the file carries signed Content Credentials (C2PA). unsupported: its format cannot; off: the operator signs nothing. Absent for files from before signing.",
      ),
    understood: understoodSchema
      .optional()
      .describe(
        "The provider's description of the result, if it gives one. The embedded provider does for pictures and clips.",
      ),
    thumbnails: z
      .array(thumbnailSchema)
      .describe(
        "Small pictures of it, narrowest first, at most 320 and 640 wide; empty where there are none.",
      ),
  })
  .meta({ id: "Output" });

export const deliveredSchema = z
  .object({
    unit: z
      .enum(["output", "second"])
      .describe("second: the price is per second, and the provider reports the length."),
    asked: z.number(),
    got: z.number(),
  })
  .meta({ id: "Delivered" });
export type Delivered = z.output<typeof deliveredSchema>;

/** For example "3 of 4 images"; undefined if everything was delivered, or more. */
export function shortfallInWords({
  delivered,
}: {
  readonly delivered?: Delivered | null | undefined;
}): string | undefined {
  if (!delivered || delivered.got >= delivered.asked) return undefined;
  const unit = delivered.unit === "second" ? "seconds" : "images";
  return `${delivered.got} of ${delivered.asked} ${unit}`;
}

export const jobSchema = z
  .object({
    job_id: z.string(),
    workflow_id: z
      .string()
      .optional()
      .describe("The workflow of which it is a step; absent where it is none."),
    state: shownState(),
    modality: modalitySchema,
    model_slug: z.string(),
    prompt: z.string(),
    params: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.string()),
    source: z.string().describe("api, app, mcp or member: where the request came in."),
    credits_reserved: z.number().int(),
    credits_charged: z.number().int().describe("Debited and not refunded."),
    delivered: deliveredSchema
      .nullable()
      .describe("What was asked for and what came. null unless the job is completed."),
    priced_by: pricedBySchema
      .optional()
      .describe("The rule of the model's pricing that gave the price. Absent from older jobs."),
    estimated_seconds: z.number(),
    queue_position: z.number().int().nullable().describe("1 is next of this account; null when not waiting."),
    cancellable: z
      .boolean()
      .describe("Whether it can be cancelled now: it is waiting, or running at a provider that can stop."),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    events: z.array(jobEventSchema),
    outputs: z.array(outputSchema),
    error: z.object({ code: z.string(), message: z.string() }).meta({ id: "JobError" }).nullable(),
    callback: z
      .object({
        url: z.string(),
        status: z.enum(["none", "pending", "delivered", "failed"]),
        attempts: z.number().int(),
      })
      .meta({ id: "JobCallback" })
      .nullable(),
  })
  .meta({ id: "Job" });

export type Understood = z.output<typeof understoodSchema>;

/** What a model shows of a prompt, in one or two sentences. */
export function understoodWords({ drawn, not_drawn: missing }: Understood): string {
  if (drawn.length === 0) return "Shows a scene of its own: it recognised none of these words.";
  return `Shows ${drawn.join(", ")}.${missing.length > 0 ? ` Not drawn: ${missing.join(", ")}.` : ""}`;
}
export type JobResource = z.output<typeof jobSchema>;
export type JobEventResource = z.output<typeof jobEventSchema>;

/** Longer than core takes to fetch the files that a request names by their addresses. */
const FETCHING_DEADLINE_MS = 50_000;

/** How long to wait for the answer to a request, if that is longer than for other calls. */
export function generateDeadline({ params = {} }: JobRequest): { deadlineMs?: number } {
  const mayFetch = Object.values(params).some(
    (value) => typeof value === "string" && /^https?:/i.test(value),
  );
  return mayFetch ? { deadlineMs: FETCHING_DEADLINE_MS } : {};
}

/** The message for a request, with its Idempotency-Key if there is one, and the confirmation that its person has given. */
export function toGenerateRequest(
  body: JobRequest,
  idempotencyKey: string | undefined,
  approvalId?: string,
): GenerateRequestInput {
  return toMessage(generateRequestSchema, body, {
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...(approvalId !== undefined && { confirmation_id: approvalId }),
  });
}
