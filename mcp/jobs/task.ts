// A job as a task of the protocol's extension: a handle, which a client that declares the extension gets in place of a wait.
import type { JobResource } from "../../proto/resources/job.ts";
import { isObject } from "../../runtime/json-object.ts";
import { summarizeJob } from "./describe.ts";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
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
} as const satisfies Record<JobResource["state"], Task["status"]>;

export function toTask(job: JobResource): Task {
  return {
    taskId: job.job_id,
    status: STATUS[job.state],
    statusMessage: summarizeJob(job),
    createdAt: job.created_at,
    lastUpdatedAt: job.events.at(-1)?.at ?? job.created_at,
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** Whether the `_meta` of a request declares the extension. Each request is asked anew: nothing about a client is remembered. */
export function declaresTasks(meta: unknown): boolean {
  return isObject(at(at(at(meta, CAPABILITIES_KEY), "extensions"), TASKS_EXTENSION));
}

function at(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
