// A job or a workflow as a task of the protocol's extension: a handle, which a client that declares the extension gets in place of a wait.
import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server";
import type { JobResource } from "../../proto/resources/job.ts";
import type { WorkflowResource } from "../../proto/resources/workflow.ts";
import { isObject, valueAt } from "../../runtime/json-object.ts";
import { summarizeJob } from "./describe.ts";
import { summarizeWorkflow } from "./workflow-outcome.ts";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Most jobs take seconds, and a key may ask hundreds of times a minute. */
const POLL_INTERVAL_MS = 2_000;

export type Task = {
  taskId: string;
  status: "working" | "completed" | "cancelled";
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** Null, because jobs are kept. */
  ttlMs: null;
  pollIntervalMs: number;
};

// A job that failed is a completed task, whose result says so: "failed" is for calls that broke, and this one was answered.
const STATUS = {
  reserved: "working",
  running: "working",
  cancelling: "working",
  completed: "completed",
  failed: "completed",
  cancelled: "cancelled",
} as const satisfies Record<JobResource["state"] | WorkflowResource["state"], Task["status"]>;

/** After the job_id in a taskId: its result comes with a preview. So nothing about a task is remembered but by its client. */
const WITH_PREVIEW = ".preview";

export function toTask(job: JobResource, { preview = false }: { preview?: boolean | undefined } = {}): Task {
  return {
    taskId: preview ? job.job_id + WITH_PREVIEW : job.job_id,
    status: STATUS[job.state],
    statusMessage: summarizeJob(job),
    createdAt: job.created_at,
    lastUpdatedAt: job.events.at(-1)?.at ?? job.created_at,
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** Which job a taskId is about, and what its result is to have. */
export function readTaskId(taskId: string): { jobId: string; preview: boolean } {
  const preview = taskId.endsWith(WITH_PREVIEW);
  return { jobId: preview ? taskId.slice(0, -WITH_PREVIEW.length) : taskId, preview };
}

/** One task for the whole: its steps have none of their own. */
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

/** Whether the `_meta` of a request declares the extension. Each request is asked anew: nothing about a client is remembered. */
export function declaresTasks(meta: unknown): boolean {
  return isObject(valueAt(meta, CLIENT_CAPABILITIES_META_KEY, "extensions", TASKS_EXTENSION));
}
