import type { Issue, Job, Workflow } from "./resources.js";
/** Codes of this client, beside those of the service. */
export type ClientErrorCode = "connection_failed" | "wait_timeout" | "unreadable_answer" | "callback_refused" | "job_failed" | "job_cancelled" | "workflow_failed" | "workflow_cancelled";
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
export declare class AtelierError extends Error {
    /** Stable name of what went wrong: one of the service's codes or of ClientErrorCode. More may come. */
    readonly code: string;
    /** HTTP status; undefined if there was no answer. */
    readonly status: number | undefined;
    /** What to do next. */
    readonly hint: string | undefined;
    /** Which fields are wrong, where it is about fields. */
    readonly issues: readonly Issue[];
    /** Identifies the request in the service's logs; support will ask for it. */
    readonly requestId: string | undefined;
    /** Seconds after which the same request may succeed. */
    readonly retryAfter: number | undefined;
    /** The job that it is about, if there is one already. */
    readonly jobId: string | undefined;
    /** The workflow that it is about, if there is one already. */
    readonly workflowId: string | undefined;
    /** The whole answer, for what else it says, such as credits_required. */
    readonly body: unknown;
    constructor(code: string, message: string, details?: AtelierErrorDetails);
}
/** A job that was waited for has failed or was cancelled. Its credits were returned. */
export declare class AtelierJobError extends AtelierError {
    readonly job: Job;
    constructor(job: Job);
}
/** A workflow that was waited for has failed or was cancelled. What its steps had made stays; the credits of all others were returned. */
export declare class AtelierWorkflowError extends AtelierError {
    readonly workflow: Workflow;
    constructor(workflow: Workflow);
}
/** The error of an answer that is not a success. */
export declare function errorOf(response: Response, body: unknown): AtelierError;
