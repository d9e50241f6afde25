// The one place that turns errors into words for the person or agent on the other side of an assistant: JSON-RPC errors for
// refused messages, and results with isError for tools that failed. Nothing internal gets out.
import type { CallToolResult, RequestId } from "@modelcontextprotocol/server";
import { AppError, type AppErrorDetails, ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import { type ApiErrorBody, toApiError } from "../../proto/resources/error.ts";
import { waitInWords } from "../jobs/wait-in-words.ts";

/** An endpoint's own words for errors, in place of the error table's. */
export type ErrorWords = Partial<Record<ErrorCode, { message?: string; hint?: string }>>;

// The table speaks to programs that call REST. Here the reader has tools instead of paths and settings instead of headers.
const WORDS: ErrorWords = {
  invalid_request: {
    hint: "Correct what is named here and call again; the tool's input schema describes what fits.",
  },
  insufficient_credits: {
    hint: "Tell the person that credits are missing, or choose a cheaper model or smaller params from list_models; get_credits shows when there are enough.",
  },
  spend_limit_reached: {
    hint: "Tell the person that a spending limit stands in the way; a higher max_credits, smaller params or a cheaper model may fit.",
  },
  plan_excludes_api: { hint: "Tell the person to move to a plan that includes the API, on the website." },
  catalog_unavailable: { hint: "Wait some seconds, then try again." },
  product_not_found: { hint: "Call search_catalog and use a slug that it returned." },
  job_not_found: { hint: "Use a job_id that connect_generate returned or list_jobs shows." },
  job_not_cancellable: {
    hint: "Call get_job to see how it stands or ended; a job that fails gives its credits back by itself.",
  },
  job_not_ended: { hint: "Call get_job with wait_seconds until the job has ended." },
  method_not_allowed: { hint: "Send JSON-RPC messages with POST." },
  model_not_available: { hint: "Call list_models and use one of its model_slug values." },
  modality_mismatch: { hint: "Send the modality that list_models shows for the model." },
  idempotency_mismatch: {
    message: "This idempotency_key was used before with different arguments.",
    hint: "Repeat the first call's arguments exactly, or choose a new idempotency_key for a new job.",
  },
  queue_full: {
    hint: "Wait for some of them to end, then try again; list_jobs shows which wait.",
  },
};

/** Codes whose wait is the whole advice, with what follows the wait. */
const AFTER_WAIT: Partial<Record<ErrorCode, string>> = {
  rate_limited: "then try again.",
  queue_full: "then try again; list_jobs shows which jobs wait.",
  catalog_unavailable: "then try again.",
  service_unavailable:
    "then try again; with the same idempotency_key a repeated connect_generate makes no second job.",
  deadline_exceeded:
    "then try again; with the same idempotency_key a repeated connect_generate makes no second job.",
};

/** The same error in the words of this surface, or in `own` words of the endpoint. What the place that raised it said itself is kept. */
function forAssistant(error: AppError, own: ErrorWords): AppError {
  const row = ERROR_TABLE[error.code];
  const words = own[error.code] ?? WORDS[error.code];
  const afterWait = AFTER_WAIT[error.code];
  const wait = error.retryAfterSeconds;
  const details: AppErrorDetails = { message: error.message, hint: error.hint };
  if (words?.message && error.message === row.message) details.message = words.message;
  if (error.hint === row.hint) {
    if (wait && afterWait) details.hint = `Wait ${waitInWords(wait)}, ${afterWait}`;
    else if (words?.hint) details.hint = words.hint;
  }
  if (error.issues) details.issues = error.issues;
  if (error.numbers) details.numbers = error.numbers;
  if (wait) details.retryAfterSeconds = wait;
  return new AppError(error.code, details);
}

export type RpcErrorBody = {
  jsonrpc: "2.0";
  id: RequestId | null;
  error: { code: number; message: string; data: ApiErrorBody };
};

export type RpcErrorFacts = {
  id: RequestId | null;
  requestId: string;
  /** Replaces the table's code where the protocol has one of its own. */
  code?: number | undefined;
};

/** The JSON-RPC error for a refused message. */
export function toRpcError(
  error: AppError,
  words: ErrorWords,
  { id, requestId, code }: RpcErrorFacts,
): RpcErrorBody {
  const told = forAssistant(error, words);
  const message = [told.message, ...issueLines(told), told.hint].join(" ");
  return {
    jsonrpc: "2.0",
    id,
    error: { code: code ?? ERROR_TABLE[error.code].jsonRpc, message, data: toApiError(told, requestId) },
  };
}

/** A failed tool call as its caller's model reads it. Text only: clients hold structured content against the output schema. */
export function toToolFailure(error: AppError, words: ErrorWords, requestId: string): CallToolResult {
  const told = forAssistant(error, words);
  const lines = [told.message, ...issueLines(told), ...numberLines(told)];
  lines.push(`What to do: ${told.hint}`, `Code: ${told.code}. Request: ${requestId}.`);
  return { isError: true, content: [{ type: "text", text: lines.join("\n") }] };
}

/** The wrong fields that the message does not name itself. */
function issueLines({ issues = [], message: said }: AppError): string[] {
  return issues
    .map(({ path, message }) => `${path || "The body"} ${message}`)
    .filter((line) => !said.includes(line))
    .map((line) => `${line}.`);
}

function numberLines(error: AppError): string[] {
  const { credits_required: required, credits_available: available, ...others } = error.numbers ?? {};
  const lines = Object.entries(others).map(([name, value]) => `${name}: ${value}.`);
  if (required !== undefined)
    lines.unshift(`Credits needed: ${required}. Credits available: ${available ?? 0}.`);
  if (error.retryAfterSeconds) lines.push(`Seconds to wait: ${error.retryAfterSeconds}.`);
  return lines;
}
