// A workflow as its owner sees it.
import type { JobResource } from "../../../proto/resources/job.ts";
import type { WorkflowResource, WorkflowStepResource } from "../../../proto/resources/workflow.ts";
import type { App } from "../../kernel/app.ts";
import { archivedSummary, toJobs } from "../jobs/resource.ts";
import { shownState } from "../jobs/rules.ts";
import { readAllSteps } from "../jobs/steps.ts";
import { summariseDeliveries } from "../webhooks/resource.ts";
import { jobIdsOf } from "./advance.ts";
import type { ArchivedWorkflow } from "./archive-rules.ts";
import type { WorkflowDoc } from "./store.ts";

/** Workflows of one account, with what their jobs and other collections know about them. */
export async function toWorkflows(
  app: App,
  docs: readonly (WorkflowDoc | ArchivedWorkflow)[],
): Promise<WorkflowResource[]> {
  const accountId = docs[0]?.account_id ?? "";
  const announced = docs.filter(({ callback_url: url, ended_at }) => url !== null && ended_at !== null);
  const [found, summaries] = await Promise.all([
    readAllSteps(app, accountId, docs.flatMap(jobIdsOf)),
    summariseDeliveries(
      app,
      accountId,
      announced.map(({ _id }) => _id),
    ),
  ]);
  const jobs = new Map((await toJobs(app, [...found.values()])).map((job) => [job.job_id, job]));
  return docs.map((doc) => {
    const steps = toSteps(doc, jobs);
    const { callback_url: url, _id } = doc;
    return {
      workflow_id: _id,
      state: shownState(doc),
      source: doc.source,
      credits_reserved: doc.credits,
      credits_charged: steps.reduce((sum, { credits_charged }) => sum + credits_charged, 0),
      estimated_seconds: doc.estimated_seconds,
      cancellable: shownState(doc) === "running",
      created_at: doc.created_at.toISOString(),
      ended_at: doc.ended_at?.toISOString() ?? null,
      steps,
      callback: url === null ? null : { url, ...(archivedSummary(doc) ?? summaries.get(_id) ?? UNSENT) },
      callback_on_steps: doc.callback_on_steps,
      metadata: doc.metadata,
    };
  });
}

export async function toWorkflow(app: App, doc: WorkflowDoc): Promise<WorkflowResource> {
  const [workflow] = await toWorkflows(app, [doc]);
  if (!workflow) throw new Error("toWorkflows answers as many as it is given");
  return workflow;
}

const UNSENT = { status: "none" as const, attempts: 0 };

function toSteps(
  { _id, steps }: WorkflowDoc,
  jobs: ReadonlyMap<string, JobResource>,
): WorkflowStepResource[] {
  const jobOf = (place: number): JobResource => {
    const job = jobs.get(steps[place]?.job_id ?? "");
    if (!job) throw new Error(`a job of workflow ${_id} does not exist`);
    return job;
  };
  const nameOf = (place: number) => steps[place]?.id ?? "";
  return steps.map(({ id, needs }, place) => {
    const job = jobOf(place);
    const { job_id, state, modality, model_slug, credits_reserved, credits_charged, outputs, error } = job;
    const waitsFor = state === "reserved" ? needs.filter((need) => jobOf(need).state !== "completed") : [];
    return {
      id,
      job_id,
      state,
      modality,
      model_slug,
      needs: needs.map(nameOf),
      waits_for: waitsFor.map(nameOf),
      credits_reserved,
      credits_charged,
      progress: progressOf(job),
      started_at: job.started_at,
      ended_at: job.ended_at,
      outputs,
      error,
    };
  });
}

/** The last progress that its provider reported; 1 once it has completed. */
function progressOf({ state, events }: JobResource): number | null {
  if (state === "completed") return 1;
  const told = events.findLast(({ detail }) => typeof detail["fraction"] === "number")?.detail["fraction"];
  return typeof told === "number" ? told : null;
}
