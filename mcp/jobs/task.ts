// Jobs and workflows as tasks of the protocol's tasks extension.
import { fromMessage } from "../../proto/codec.ts";
import { jobEventSchema, type JobResource } from "../../proto/resources/job.ts";
import { type WorkflowResource, workflowSchema } from "../../proto/resources/workflow.ts";
import { keepListed } from "../protocol/listed-fields.ts";
import type { Task, TaskDetail, TaskEvent, Tasks } from "../protocol/task.ts";
import { toCallToolResult } from "../protocol/tool.ts";
import { summarizeJob } from "./describe.ts";
import { outcomeSchema, type ReadJob, readJobSchema, toOutcome } from "./outcome.ts";
import type { Reader } from "./preview.ts";
import {
  isWorkflowId,
  summarizeWorkflow,
  toWorkflowOutcome,
  workflowOutcomeSchema,
} from "./workflow-outcome.ts";

const keepOutcome = keepListed(outcomeSchema);
const keepWorkflow = keepListed(workflowOutcomeSchema);

/** Most jobs take seconds, and a key may ask hundreds of times a minute. */
const POLL_INTERVAL_MS = 2_000;

// A job that failed is a completed task whose result says so. "failed" is for calls that broke, and this call was answered.
const STATUS = {
  reserved: "working",
  running: "working",
  cancelling: "working",
  completed: "completed",
  failed: "completed",
  cancelled: "cancelled",
} as const satisfies Record<JobResource["state"] | WorkflowResource["state"], Task["status"]>;

/** This suffix after the job_id in a taskId asks for a result with a preview. Only the client has to remember it. */
const WITH_PREVIEW = ".preview";

export function toTask(job: JobResource, { preview = false }: { preview?: boolean | undefined } = {}): Task {
  const last = job.events.at(-1);
  const fraction = last?.type === "progress" ? last.detail["fraction"] : undefined;
  const progress = typeof fraction === "number" ? ` ${Math.round(fraction * 100)}% done.` : "";
  return {
    taskId: preview ? job.job_id + WITH_PREVIEW : job.job_id,
    status: STATUS[job.state],
    statusMessage: summarizeJob(job) + progress,
    createdAt: job.created_at,
    lastUpdatedAt: last?.at ?? job.created_at,
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** Which job a taskId refers to, and what its result should contain. */
function readTaskId(taskId: string): { jobId: string; preview: boolean } {
  const preview = taskId.endsWith(WITH_PREVIEW);
  return { jobId: preview ? taskId.slice(0, -WITH_PREVIEW.length) : taskId, preview };
}

/** There is one task for the whole workflow; its steps have none of their own. */
export function workflowTask(workflow: WorkflowResource): Task {
  const { workflow_id, state, steps, created_at } = workflow;
  const changes = steps.flatMap(({ started_at, ended_at }) => [started_at, ended_at]);
  return {
    taskId: workflow_id,
    status: STATUS[state],
    statusMessage: summarizeWorkflow(workflow),
    createdAt: created_at,
    lastUpdatedAt: changes.reduce((last: string, at) => (at !== null && at > last ? at : last), created_at),
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** A job with its receipt. */
async function readJob(jobId: string, { core, call }: Reader): Promise<ReadJob> {
  return fromMessage(
    readJobSchema,
    await core.jobs.GetJob({ job_id: jobId, wait_seconds: 0, with_receipt: true }, call),
  );
}

async function jobDetail(
  job: ReadJob,
  { preview, ...reader }: Reader & { preview: boolean },
): Promise<TaskDetail> {
  const task = toTask(job, { preview });
  if (task.status !== "completed") return task;
  return { ...task, result: toCallToolResult(await toOutcome(job, { ...reader, preview }), keepOutcome) };
}

function workflowDetail(workflow: WorkflowResource): TaskDetail {
  const task = workflowTask(workflow);
  if (task.status !== "completed") return task;
  return { ...task, result: toCallToolResult(toWorkflowOutcome(workflow), keepWorkflow) };
}

/** The tasks of the tools that generate. */
export const jobTasks: Tasks = {
  async read(taskId, { core, call }) {
    if (isWorkflowId(taskId)) {
      const asked = { workflow_id: taskId, wait_seconds: 0 };
      return workflowDetail(fromMessage(workflowSchema, await core.workflows.GetWorkflow(asked, call)));
    }
    const { jobId, preview } = readTaskId(taskId);
    return jobDetail(await readJob(jobId, { core, call }), { core, call, preview });
  },
  watch: (taskId, asked, context) =>
    isWorkflowId(taskId) ? watchWorkflow(taskId, asked, context) : watchJob(taskId, asked, context),
  async cancel(taskId, { core, call }) {
    if (isWorkflowId(taskId)) await core.workflows.CancelWorkflow({ workflow_id: taskId }, call);
    else await core.jobs.CancelJob({ job_id: readTaskId(taskId).jobId }, call);
  },
  // A job asks no questions, so no one waits for a response. A response to a task that does not exist is refused.
  async respond(taskId, _responses, context) {
    await jobTasks.read(taskId, context);
  },
  notFound: ["job_not_found", "workflow_not_found"],
  tooLate: ["job_not_cancellable", "workflow_not_cancellable"],
};

type Watch = Tasks["watch"];

/** The job as it was after each event. Its result comes with the event that ends it. */
async function* watchJob(
  ...[taskId, { after, onBegin }, { core, call }]: Parameters<Watch>
): AsyncGenerator<TaskEvent> {
  const { jobId, preview } = readTaskId(taskId);
  const job = await readJob(jobId, { core, call });
  const asked = { job_id: jobId, after_seq: after ?? lastEventOf(job) - 1 };
  for await (const message of core.jobs.WatchJob(asked, { ...call, onBegin })) {
    const event = fromMessage(jobEventSchema, message);
    if (STATUS[event.state] === "working") {
      yield {
        number: event.seq,
        detail: toTask({ ...job, state: event.state, events: [event] }, { preview }),
      };
      continue;
    }
    // The event that ended the job may not be its last event.
    const ended = await readJob(jobId, { core, call });
    yield { number: lastEventOf(ended), detail: await jobDetail(ended, { core, call, preview }) };
    return;
  }
}

async function* watchWorkflow(
  ...[taskId, { after = 0, onBegin }, { core, call }]: Parameters<Watch>
): AsyncGenerator<TaskEvent> {
  for await (const message of core.workflows.WatchWorkflow({ workflow_id: taskId }, { ...call, onBegin })) {
    const number = message.version;
    if (number > after) yield { number, detail: workflowDetail(fromMessage(workflowSchema, message)) };
  }
}

function lastEventOf({ events }: JobResource): number {
  return events.at(-1)?.seq ?? 0;
}
