// All errors of the client: one class with a code to decide by, and subclasses for jobs and workflows that did not complete.
import type { Issue, Job, Workflow } from "./resources.ts";

/** Codes of this client, in addition to those of the service. */
export type ClientErrorCode =
  | "connection_failed"
  | "wait_timeout"
  | "unreadable_answer"
  | "callback_refused"
  | "receipt_refused"
  | "job_failed"
  | "job_cancelled"
  | "workflow_failed"
  | "workflow_cancelled";

export type AtelierErrorDetails = {
  readonly status?: number | undefined;
  readonly hint?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly jobId?: string | undefined;
  readonly workflowId?: string | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
};

export class AtelierError extends Error {
  /** A stable name of what went wrong: one of the service's codes or of ClientErrorCode. New codes may be added. */
  readonly code: string;
  /** The HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  /** What to do next. */
  readonly hint: string | undefined;
  /** Which fields are wrong, if it is about fields. */
  readonly issues: readonly Issue[];
  /** Identifies the request in the service's logs; support will ask for it. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  /** The job that it is about, if it exists already. */
  readonly jobId: string | undefined;
  /** The workflow that it is about, if it exists already. */
  readonly workflowId: string | undefined;
  /** The whole answer, with further fields such as credits_required. */
  readonly body: unknown;

  constructor(code: string, message: string, details: AtelierErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = "AtelierError";
    this.code = code;
    this.status = details.status;
    this.hint = details.hint;
    this.issues = details.issues ?? [];
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.jobId = details.jobId;
    this.workflowId = details.workflowId;
    this.body = details.body;
  }
}

/** A job that was waited for has failed or was cancelled. Its credits were returned. */
export class AtelierJobError extends AtelierError {
  readonly job: Job;

  constructor(job: Job) {
    const cancelled = job.state === "cancelled";
    const words = cancelled ? "The job was cancelled." : (job.error?.message ?? "The job failed.");
    super(cancelled ? "job_cancelled" : "job_failed", words, { jobId: job.job_id });
    this.name = "AtelierJobError";
    this.job = job;
  }
}

/**
 * A workflow that was waited for has failed or was cancelled. The files of completed steps stay; the credits of all other steps were
 * returned.
 */
export class AtelierWorkflowError extends AtelierError {
  readonly workflow: Workflow;

  constructor(workflow: Workflow) {
    const cancelled = workflow.state === "cancelled";
    const failed = workflow.steps.find(({ error }) => error !== null && error !== undefined);
    const words = cancelled
      ? "The workflow was cancelled."
      : `The workflow failed at ${failed?.id ?? "one of its steps"}: ${failed?.error?.message ?? "no reason was given."}`;
    const code = cancelled ? "workflow_cancelled" : "workflow_failed";
    super(code, words, { workflowId: workflow.workflow_id });
    this.name = "AtelierWorkflowError";
    this.workflow = workflow;
  }
}

/** The error of an answer that is not a success. */
export function errorOf(response: Response, body: unknown): AtelierError {
  const told: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  const text = (name: string) => (typeof told[name] === "string" ? told[name] : undefined);
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new AtelierError(
    text("code") ?? "unreadable_answer",
    text("message") ?? `The service answered ${response.status} without saying why.`,
    {
      status: response.status,
      hint: text("hint"),
      issues: Array.isArray(told["issues"]) ? (told["issues"] as Issue[]) : undefined,
      requestId: text("request_id") ?? response.headers.get("x-request-id") ?? undefined,
      retryAfter: Number.isFinite(wait) ? wait : undefined,
      body,
    },
  );
}
