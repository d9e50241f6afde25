// A task of the protocol's extension: a handle for work that goes on after the answer, which a client that declares the extension gets in
// place of a wait.
import { type CallToolResult, CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server";
import type { ErrorCode } from "../../proto/codes.ts";
import { isObject, valueAt } from "../../runtime/json-object.ts";
import type { ReadContext } from "./read-context.ts";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

export type Task = {
  taskId: string;
  status: "working" | "completed" | "cancelled";
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** Null, because tasks are kept. */
  ttlMs: null;
  pollIntervalMs: number;
};

type TaskContext = Pick<ReadContext, "core" | "call">;

/** How tasks are followed and ended by their taskId. Core checks whose a task is on every call. */
export type Tasks = {
  /** Returns the task, and what the call that began it would answer now. */
  readonly read: (
    taskId: string,
    context: TaskContext,
  ) => Promise<{ task: Task; answer: () => Promise<CallToolResult> }>;
  readonly cancel: (taskId: string, context: TaskContext) => Promise<void>;
  /** The codes of a task that is not there. */
  readonly notFound: readonly ErrorCode[];
  /** The codes of a task that can no longer be cancelled. */
  readonly tooLate: readonly ErrorCode[];
};

/** Whether the `_meta` of a request declares the extension. Each request is asked anew: nothing about a client is remembered. */
export function declaresTasks(meta: unknown): boolean {
  return isObject(valueAt(meta, CLIENT_CAPABILITIES_META_KEY, "extensions", TASKS_EXTENSION));
}
