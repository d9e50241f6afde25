// A task of the protocol's extension: a handle for work that continues after the response. A client that declares the extension gets it
// instead of waiting.
import {
  type CallToolResult,
  type InputRequests,
  MissingRequiredClientCapabilityError,
} from "@modelcontextprotocol/server";
import type { ErrorCode } from "../../proto/codes.ts";
import { isObject, valueAt } from "../../runtime/json-object.ts";
import type { ClientInput } from "./client-input.ts";
import type { ReadContext } from "./read-context.ts";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

export type Task = {
  taskId: string;
  status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** Null, because tasks are kept. */
  ttlMs: null;
  pollIntervalMs: number;
};

/** A task with what belongs to its status: questions to the client, or the outcome of the call. */
export type TaskDetail = Task & {
  inputRequests?: InputRequests;
  result?: CallToolResult;
  /** The error of a call that broke. A tool that failed has a result instead. */
  error?: { code: number; message: string };
};

/** A task as it is after one of its events. The numbers of events grow. */
export type TaskEvent = { readonly number: number; readonly detail: TaskDetail };

type TaskContext = Pick<ReadContext, "core" | "call">;

/** How tasks are followed and cancelled by their taskId. Core checks the task's owner on every call. */
export type Tasks = {
  readonly read: (taskId: string, context: TaskContext) => Promise<TaskDetail>;
  /**
   * Yields the events after the one with that number until the task has ended, each once; without a number, it begins with the newest.
   * Calls `onBegin` once the caller is accepted.
   */
  readonly watch: (
    taskId: string,
    asked: { after: number | undefined; onBegin: () => void },
    context: TaskContext,
  ) => AsyncIterable<TaskEvent>;
  readonly cancel: (taskId: string, context: TaskContext) => Promise<void>;
  /** Takes responses to questions of the task. Responses that no one waits for are ignored. */
  readonly respond: (
    taskId: string,
    responses: ClientInput["responses"],
    context: TaskContext,
  ) => Promise<void>;
  /** The codes of a task that does not exist. */
  readonly notFound: readonly ErrorCode[];
  /** The codes of a task that can no longer be cancelled. */
  readonly tooLate: readonly ErrorCode[];
};

/** Returns whether the client declares the extension. Each request says it again, because nothing about a client is stored. */
export function declaresTasks({ capabilities }: ClientInput): boolean {
  return isObject(valueAt(capabilities, "extensions", TASKS_EXTENSION));
}

/** Throws MissingRequiredClientCapabilityError. */
export function requireTasks(input: ClientInput): void {
  if (declaresTasks(input)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}
