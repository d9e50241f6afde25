// Workflows as clients see them: small graphs of jobs that are sent, priced and held as one.
import { z } from "zod";
import { toMessage } from "../codec.ts";
import type { RunWorkflowRequestInput } from "../types/atelier/v1/RunWorkflowRequest.ts";
import { WORKFLOW_EVENTS } from "./callback.ts";
import { generateDeadline, generateRequestSchema, JOB_STATES, jobSchema, modalitySchema } from "./job.ts";
import { openEnum } from "./open-enum.ts";

export const WORKFLOW_STATES = ["running", "cancelling", "completed", "failed", "cancelled"] as const;
export const MIN_STEPS = 2;
export const MAX_STEPS = 20;

export const workflowStateSchema = z.enum(WORKFLOW_STATES);

const stepIdSchema = z
  .string()
  .regex(/^[a-z0-9_-]{1,32}$/, "must be 1 to 32 of a-z, 0-9, _ and -")
  .describe("Its name within the workflow.");

const { callback_url, max_credits, ...asked } = generateRequestSchema.shape;

export const workflowStepRequestSchema = z
  .strictObject({
    id: stepIdSchema,
    ...asked,
    params: asked.params.describe(
      "Options of the model. One that takes a file may say step:ID, the first output of that step, or step:ID/N, its output N from 0.",
    ),
    after: z
      .array(stepIdSchema)
      .max(MAX_STEPS)
      .optional()
      .describe("Steps that must complete before this one, in addition to those whose outputs it uses."),
  })
  .meta({ id: "WorkflowStepRequest" });

/** Body of POST /api/v1/connect/workflows and arguments of run_workflow. Core decides whether the graph is valid. */
export const workflowRequestSchema = z
  .strictObject({
    steps: z.array(workflowStepRequestSchema).min(MIN_STEPS).max(MAX_STEPS),
    callback_url: callback_url.describe("Called with a signed POST when the workflow ends."),
    callback_on_steps: z.boolean().optional().describe("Call it when a step ends, too."),
    metadata: asked.metadata,
    max_credits: max_credits.describe("Refuse the workflow where its steps together would cost more."),
  })
  .meta({ id: "WorkflowRequest" });

export type WorkflowRequest = z.output<typeof workflowRequestSchema>;
export type WorkflowStepRequest = z.output<typeof workflowStepRequestSchema>;

const needsSchema = z.array(z.string()).describe("The steps that come before it.");

export const workflowResultSchema = z
  .object({
    workflow_id: z.string(),
    state: openEnum(WORKFLOW_STATES, "running for a new workflow."),
    credits_reserved: z.number().int().describe("Of all steps."),
    estimated_seconds: z.number().describe("Along the longest way through the graph."),
    steps: z.array(
      z
        .object({
          id: z.string(),
          job_id: z.string(),
          needs: needsSchema,
          credits_reserved: z.number().int(),
        })
        .meta({ id: "WorkflowResultStep" }),
    ),
  })
  .meta({ id: "WorkflowResult" });

export const workflowStepSchema = z
  .object({
    id: z.string().describe("Its name within the workflow."),
    job_id: z.string().describe("The job of this step; GET /api/jobs/{id} shows it in full."),
    state: openEnum(JOB_STATES, "Of its job: reserved while it waits, for its turn or for other steps."),
    modality: modalitySchema,
    model_slug: z.string(),
    needs: needsSchema,
    waits_for: z.array(z.string()).describe("Those of them that have not completed yet."),
    credits_reserved: z.number().int(),
    credits_charged: z.number().int().describe("Debited and not refunded."),
    progress: z.number().nullable().describe("Progress from 0 to 1; null if the provider reports none."),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    outputs: jobSchema.shape.outputs,
    error: jobSchema.shape.error,
  })
  .meta({ id: "WorkflowStep" });

export const workflowSchema = z
  .object({
    workflow_id: z.string(),
    state: openEnum(WORKFLOW_STATES),
    source: z.string().describe("api, app, mcp or member: where the request came in."),
    credits_reserved: z.number().int().describe("The price of all steps, held when it was accepted."),
    credits_charged: z.number().int().describe("Debited and not refunded, of all steps."),
    estimated_seconds: z.number().describe("Along the longest way through the graph."),
    cancellable: z.boolean().describe("Whether it can be cancelled now."),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    steps: z.array(workflowStepSchema).describe("As they were sent."),
    callback: jobSchema.shape.callback,
    callback_on_steps: z.boolean(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: "Workflow" });

export type WorkflowResult = z.output<typeof workflowResultSchema>;
export type WorkflowResource = z.output<typeof workflowSchema>;
export type WorkflowStepResource = z.output<typeof workflowStepSchema>;

/** Body of the POST that the callback_url of a workflow receives. */
export const workflowCallbackSchema = z
  .object({
    event: openEnum(WORKFLOW_EVENTS),
    delivery_id: z
      .string()
      .describe("As in the headers. A resend keeps it, so you can ignore an id that you have seen."),
    created_at: z.iso.datetime(),
    workflow: workflowSchema
      .omit({ callback: true })
      .meta({ id: "EndedWorkflow", description: "The workflow as it ended." }),
  })
  .meta({ id: "WorkflowCallback" });

/** How long to wait for the answer to a request, if that is longer than for other calls, because files may have to be fetched. */
export function workflowDeadline({ steps }: WorkflowRequest): { deadlineMs?: number } {
  return steps.map((step) => generateDeadline(step)).find(({ deadlineMs }) => deadlineMs !== undefined) ?? {};
}

/** The message for a request, with its Idempotency-Key if there is one. */
export function toRunWorkflowRequest(
  body: WorkflowRequest,
  idempotencyKey: string | undefined,
  approvalId?: string,
): RunWorkflowRequestInput {
  return toMessage(workflowRequestSchema, body, {
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...(approvalId !== undefined && { confirmation_id: approvalId }),
  });
}
