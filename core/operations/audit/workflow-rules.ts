// The invariants of a workflow and its steps, checked only against stored data. This file is pure.
import type { JobDoc } from "../../studio/jobs/store.ts";
import type { DeliveryDoc } from "../../studio/webhooks/store.ts";
import type { WorkflowDoc } from "../../studio/workflows/store.ts";

/** The compared fields of a job that names its workflow. */
export type StepJob = Pick<JobDoc, "_id" | "state" | "credits" | "started_at" | "workflow_id"> & {
  /** Not claimable yet. */
  readonly isHeldBack: boolean;
};

export function toStepJob(job: JobDoc): StepJob {
  const { _id, state, credits, started_at, workflow_id } = job;
  const isHeldBack = state === "reserved" && job.queue_deadline === null;
  return { _id, state, credits, started_at, ...(workflow_id !== undefined && { workflow_id }), isHeldBack };
}

/** `jobs` are the account's jobs that name a workflow, by id. */
export function checkWorkflow(workflow: WorkflowDoc, jobs: ReadonlyMap<string, StepJob>): string[] {
  const where = `workflow ${workflow._id} (${workflow.state})`;
  const steps = workflow.steps.map(({ job_id }) => jobs.get(job_id));
  const wrong = workflow.steps.flatMap((step, place) =>
    wrongStep(`${where}: step ${place + 1}`, workflow, { step, job: steps[place], steps }),
  );
  const price = workflow.steps.reduce((sum, { credits }) => sum + credits, 0);
  if (price !== workflow.credits)
    wrong.push(`${where}: costs ${workflow.credits} credits, and its steps cost ${price}`);
  return [...wrong, ...wrongEnd(where, workflow, steps)];
}

type Steps = readonly (StepJob | undefined)[];

function wrongStep(
  where: string,
  { _id }: WorkflowDoc,
  { step, job, steps }: { step: WorkflowDoc["steps"][number]; job: StepJob | undefined; steps: Steps },
): string[] {
  if (!job) return [`${where}: its job ${step.job_id} is not there, or names no workflow`];
  const named = `${where}: its job ${job._id}`;
  const wrong: string[] = [];
  if (job.workflow_id !== _id) wrong.push(`${named} names the workflow ${job.workflow_id}`);
  if (job.credits !== step.credits)
    wrong.push(`${named} costs ${job.credits} credits, and the step ${step.credits}`);
  const missing = step.needs.filter((need) => steps[need]?.state !== "completed");
  if (missing.length === 0) return wrong;
  if (job.started_at !== null) wrong.push(`${named} began before all that it needs had completed`);
  else if (job.state === "reserved" && !job.isHeldBack)
    wrong.push(`${named} may be claimed before all that it needs has completed`);
  return wrong;
}

function wrongEnd(where: string, { state, ended_at, look_at }: WorkflowDoc, steps: Steps): string[] {
  const states = steps.flatMap((job) => job?.state ?? []);
  if (state === "running") {
    const wrong = ended_at ? [`${where}: has ended at ${ended_at.toISOString()}`] : [];
    return look_at ? wrong : [...wrong, `${where}: nothing is due for it`];
  }
  const wrong: string[] = [];
  if (!ended_at) wrong.push(`${where}: has no end`);
  if (look_at) wrong.push(`${where}: is due although it has ended`);
  const live = states.filter((one) => one === "reserved" || one === "running").length;
  if (live > 0) wrong.push(`${where}: ${live} of its steps have not ended`);
  const failed = states.includes("failed");
  const expected = failed ? "failed" : states.includes("cancelled") ? "cancelled" : "completed";
  if (live === 0 && state !== expected) wrong.push(`${where}: its steps say ${expected}`);
  return wrong;
}

/** The findings between a workflow and the delivery that announces its end. */
export function checkWorkflowAnnouncement(
  { _id, state, account_id, callback_url: url }: WorkflowDoc,
  delivery: DeliveryDoc | undefined,
): string[] {
  const where = `workflow ${_id} (${state})`;
  const wanted = url !== null && state !== "running";
  if (!delivery) return wanted ? [`${where}: its end has no delivery to its callback_url`] : [];
  const named = `${where}: the delivery ${delivery._id}`;
  if (!wanted) return [`${named} announces what it should not`];
  const wrong: string[] = [];
  if (delivery.account_id !== account_id || delivery.workflow_id !== _id || delivery.job_id !== null)
    wrong.push(
      `${named} names account ${delivery.account_id} and ${delivery.workflow_id ?? delivery.job_id}`,
    );
  if (delivery.event !== `workflow.${state}`) wrong.push(`${named} says ${delivery.event}`);
  return wrong;
}
