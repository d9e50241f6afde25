// The outcome of a workflow, as tools and tasks report it: text, links to the files of its steps, and the fields that a caller can use.
import type { ResourceLink } from "@modelcontextprotocol/server";
import { z } from "zod";
import { outputSchema } from "../../proto/resources/job.ts";
import {
  type WorkflowResource,
  workflowSchema,
  type WorkflowStepResource,
  workflowStepSchema,
} from "../../proto/resources/workflow.ts";
import { describeOutput, refundWords, WAIT_AGAIN } from "./describe.ts";
import { linkOutputs } from "./outcome.ts";

const { workflow_id, state, credits_reserved, credits_charged } = workflowSchema.shape;

/** The fields of a step. get_job with its job_id returns the rest, and the text says why it failed. */
export const stepOutcomeSchema = workflowStepSchema
  .pick({ id: true, job_id: true, state: true })
  .extend({ outputs: z.array(outputSchema.pick({ url: true })) });

export const workflowOutcomeSchema = z.object({
  workflow_id,
  state,
  credits_reserved,
  credits_charged,
  steps: z.array(stepOutcomeSchema),
});

/** Returns whether an id belongs to a workflow; otherwise it belongs to a job. */
export function isWorkflowId(id: string): boolean {
  return id.startsWith("wfl_");
}

/** What run_workflow answers after it has waited, what get_job answers, and what a task ends with. */
export function toWorkflowOutcome(workflow: WorkflowResource): {
  text: string;
  more: readonly ResourceLink[];
  structured: WorkflowResource;
} {
  return {
    text: describeWorkflow(workflow),
    more: workflow.steps.flatMap(linkOutputs),
    structured: workflow,
  };
}

/** Which workflow it is, and its status. */
export function summarizeWorkflow(workflow: WorkflowResource): string {
  return `Workflow ${workflow.workflow_id}: ${workflow.state} (${stepsInWords(workflow)}).`;
}

/** For example "2 of 3 steps completed". */
export function stepsInWords({ steps }: WorkflowResource): string {
  const done = steps.filter((step) => step.state === "completed").length;
  return `${done} of ${steps.length} steps completed`;
}

/** The status, the cost, each step with its files or its failure, and what to do next. */
function describeWorkflow(workflow: WorkflowResource): string {
  const { credits_charged: charged, credits_reserved: reserved, ended_at, steps } = workflow;
  return [
    summarizeWorkflow(workflow),
    ended_at === null ? `Credits charged: ${charged} of ${reserved} reserved.` : refundWords(workflow),
    ...steps.flatMap(describeStep),
    ...(ended_at === null ? [WAIT_AGAIN] : []),
  ].join("\n");
}

function describeStep({ id, job_id, state: at, waits_for, error, outputs }: WorkflowStepResource): string[] {
  const waits = at === "reserved" && waits_for.length > 0 ? `, waits for ${waits_for.join(", ")}` : "";
  const why = error ? `, ${error.code}: ${error.message}` : "";
  return [
    `Step ${id} (${job_id}): ${at}${waits}${why}`,
    ...outputs.map((output) => `  ${describeOutput(output)}`),
  ];
}
