// A task of the protocol's extension: a handle for work that goes on after the answer, which a client that declares the extension gets in
// place of a wait.
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

/** A task with what its status has besides: questions to the client, or the outcome of the call. */
export type TaskDetail = Task & {
  inputRequests?: InputRequests;
  result?: CallToolResult;
  /** Of a call that broke. A tool that failed is a result. */
  error?: { code: number; message: string };
};

/** What a task is after one of its events, whose numbers grow. */
export type TaskEvent = { readonly number: number; readonly detail: TaskDetail };

type TaskContext = Pick<ReadContext, "core" | "call">;

/** How tasks are followed and ended by their taskId. Core checks whose a task is on every call. */
export type Tasks = {
  readonly read: (taskId: string, context: TaskContext) => Promise<TaskDetail>;
  /**
   * The events after the one of that number until the task has ended, each once; without a number from the newest on. Calls `onBegin` once the
   * caller is let in.
   */
  readonly watch: (
    taskId: string,
    asked: { after: number | undefined; onBegin: () => void },
    context: TaskContext,
  ) => AsyncIterable<TaskEvent>;
  readonly cancel: (taskId: string, context: TaskContext) => Promise<void>;
  /** Takes responses to questions of the task; those that no one waits for are ignored. */
  readonly respond: (
    taskId: string,
    responses: ClientInput["responses"],
    context: TaskContext,
  ) => Promise<void>;
  /** The codes of a task that is not there. */
  readonly notFound: readonly ErrorCode[];
  /** The codes of a task that can no longer be cancelled. */
  readonly tooLate: readonly ErrorCode[];
};

/** Whether the client declares the extension. Each request is asked anew: nothing about a client is remembered. */
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
