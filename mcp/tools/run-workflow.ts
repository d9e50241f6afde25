// The tool run_workflow: the same operation as POST /api/v1/connect/workflows. A workflow is followed and cancelled with the tools of jobs.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import { modalitySchema } from "../../proto/resources/job.ts";
import {
  MAX_STEPS,
  MIN_STEPS,
  toRunWorkflowRequest,
  workflowDeadline,
  workflowRequestSchema,
  workflowResultSchema,
  workflowStepRequestSchema,
} from "../../proto/resources/workflow.ts";
import { withApproval } from "../jobs/approval.ts";
import { jobTasks, workflowTask } from "../jobs/task.ts";
import { stepOutcomeSchema, toWorkflowOutcome, workflowOutcomeSchema } from "../jobs/workflow-outcome.ts";
import { defineTool } from "../protocol/tool.ts";
import { waitInWords } from "../protocol/wait-in-words.ts";
import { waitForNewWorkflow, waitSecondsSchema } from "./wait.ts";

// The limits are those of a single request. Core reports them, and the step that exceeds one.
const stepSchema = workflowStepRequestSchema
  .omit({ metadata: true, expires_in: true, keep_days: true })
  .extend({
    id: z.string().describe("Your name for it: a-z, 0-9, _, -."),
    modality: modalitySchema,
    model_slug: z.string(),
    prompt: z.string(),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Where one takes a file, step:ID is what that step makes."),
    allow_partial: z.boolean().optional(),
    after: z.array(z.string()).optional().describe("Further steps to wait for."),
  });

export const runWorkflow = defineTool({
  name: "run_workflow",
  title: "Run generations that build on each other",
  endpoints: ["generation", "member with the API"],
  description: [
    "Runs 2 to 20 generations as one: a picture, then a video made of it.",
    "Credits for all are reserved now and charged as each starts; if one fails, the rest are released.",
    "Then call get_job with the workflow_id as job_id.",
  ].join(" "),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    steps: z.array(stepSchema).min(MIN_STEPS).max(MAX_STEPS),
    max_credits: workflowRequestSchema.shape.max_credits.describe("Most that all may cost."),
    idempotency_key: z.string().optional().describe("As for connect_generate."),
    wait_seconds: waitSecondsSchema.describe("As for connect_generate."),
  }),
  output: workflowOutcomeSchema.partial({ credits_charged: true }).extend({
    steps: z.array(stepOutcomeSchema.partial({ state: true, outputs: true })),
    replayed: z.boolean().optional(),
  }),
  tasks: jobTasks,
  async handle({ idempotency_key, wait_seconds, ...body }, context) {
    await context.countGeneration();
    const call = { ...context.call, ...workflowDeadline(body) };
    const reply = await withApproval(context, (approvedId) =>
      context.core.workflows.RunWorkflow(toRunWorkflowRequest(body, idempotency_key, approvedId), call),
    );
    const { replayed } = reply;
    const note = replayed
      ? "This idempotency_key was used before: this is the workflow of the first call, and nothing was reserved again.\n"
      : "";
    const watched = wait_seconds > 0 || context.takesTasks;
    const workflow = watched ? await waitForNewWorkflow(context, reply.workflow_id, wait_seconds) : undefined;
    if (!workflow) {
      const accepted = { ...fromMessage(workflowResultSchema, reply), replayed };
      return { text: note + describeAccepted(accepted), structured: accepted };
    }
    const { text, more, structured } = toWorkflowOutcome(workflow);
    return {
      text: note + text,
      more,
      structured: { ...structured, replayed },
      ...(workflow.ended_at === null && { task: workflowTask(workflow) }),
    };
  },
});

function describeAccepted({
  workflow_id,
  state,
  credits_reserved,
  estimated_seconds,
  steps,
}: z.output<typeof workflowResultSchema>): string {
  return [
    `Workflow ${workflow_id}: ${state}, ${steps.length} steps.`,
    `Credits reserved: ${credits_reserved}. It takes about ${waitInWords(estimated_seconds)}.`,
    ...steps.map(({ id: name, job_id, needs }) =>
      needs.length > 0 ? `Step ${name} (${job_id}), after ${needs.join(", ")}` : `Step ${name} (${job_id})`,
    ),
    "Next: call get_job with this workflow_id as job_id and wait_seconds up to 45 until it has ended.",
  ].join("\n");
}
