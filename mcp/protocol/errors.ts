// The one place that turns errors into messages for assistants: JSON-RPC errors for refused messages, and results with isError for failed
// tools. Nothing internal is exposed.
import type { CallToolResult, RequestId } from "@modelcontextprotocol/server";
import { type AppError, ERROR_TABLE } from "../../proto/codes.ts";
import { type ApiErrorBody, type ErrorContent, toApiError } from "../../proto/resources/error.ts";
import { waitInWords } from "./wait-in-words.ts";
import { COMMON_WORDS, type ErrorWords } from "./words.ts";

/**
 * The `_meta` field where the result of a failed tool carries the ApiError that REST answers. It is for programs, since a model reads the
 * text.
 */
export const ERROR_META = "atelier/error";

/** The facts about a tool that a report of its failure needs. */
export type FailedTool = {
  readonly name: string;
  /** Whether a repeated call makes the same thing again unless it has the same idempotency_key. */
  readonly takesIdempotencyKey: boolean;
};

/**
 * Returns the same error with this surface's texts, or with the endpoint's `own` texts. A specific text of the code that raised it is kept.
 */
function forAssistant(error: AppError, own: ErrorWords, tool?: FailedTool): ErrorContent {
  const row = ERROR_TABLE[error.code];
  const { code, issues, numbers, facts, retryAfterSeconds } = error;
  const { message, hint } = { ...COMMON_WORDS[code], ...own[code] };
  return {
    code,
    message: message && error.message === row.message ? message : error.message,
    hint: hint && error.hint === row.hint ? fill(hint, retryAfterSeconds, tool) : error.hint,
    issues,
    numbers,
    facts,
    retryAfterSeconds,
  };
}

function fill(hint: string, waitSeconds: number | undefined, tool: FailedTool | undefined): string {
  const again = tool ? `call ${tool.name} again` : "try again";
  const words: Record<string, string> = {
    wait: waitSeconds ? waitInWords(waitSeconds) : "a moment",
    again,
    repeat: tool?.takesIdempotencyKey
      ? `${again} with the same idempotency_key; without one, see in list_jobs first whether the job was made`
      : again,
  };
  return hint.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => words[name] ?? "");
}

export type RpcErrorBody = {
  jsonrpc: "2.0";
  id: RequestId | null;
  error: { code: number; message: string; data: ApiErrorBody };
};

export type RpcErrorInfo = {
  id: RequestId | null;
  requestId: string;
  /** The protocol's own code, which replaces the table's. */
  code?: number | undefined;
  /** Fields that the data carries in addition to the ApiError. */
  more?: object | undefined;
};

/** The JSON-RPC error for a refused message. */
export function toRpcError(
  error: AppError,
  words: ErrorWords,
  { id, requestId, code, more }: RpcErrorInfo,
): RpcErrorBody {
  const told = forAssistant(error, words);
  const message = [told.message, ...issueLines(told), told.hint].join(" ");
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: code ?? ERROR_TABLE[error.code].jsonRpc,
      message,
      data: { ...toApiError(told, requestId), ...more },
    },
  };
}

/**
 * A failed tool call for its caller's model. It has no structured content, because clients check that against the output schema; the
 * ApiError is next to it.
 */
export function toToolFailure(
  error: AppError,
  words: ErrorWords,
  tool: FailedTool,
  requestId: string,
): CallToolResult {
  const told = forAssistant(error, words, tool);
  const lines = [told.message, ...issueLines(told, "The arguments"), ...numberLines(told)];
  lines.push(`What to do: ${told.hint}`, `Code: ${told.code}. Request: ${requestId}.`);
  return {
    isError: true,
    content: [{ type: "text", text: lines.join("\n") }],
    _meta: { [ERROR_META]: toApiError(told, requestId) },
  };
}

/** The wrong fields that the message does not name itself. */
function issueLines({ issues = [], message: said }: ErrorContent, whole = "The body"): string[] {
  return issues
    .map(({ path, message }) => `${path || whole} ${message}`)
    .filter((line) => !said.includes(line))
    .map((line) => `${line}.`);
}

/** The labels of an error's numbers, in the order in which they are reported. */
const NUMBERS: Readonly<Record<string, string>> = {
  credits_required: "Credits needed",
  credits_available: "Credits available",
  limit: "Limit",
  used: "Used of the limit",
  left: "Left of the limit",
};

function numberLines({ numbers = {}, retryAfterSeconds }: ErrorContent): string[] {
  const known = Object.keys(NUMBERS).filter((name) => name in numbers);
  const others = Object.keys(numbers).filter((name) => !(name in NUMBERS));
  const told = [...known, ...others].map((name) => `${NUMBERS[name] ?? name}: ${numbers[name]}.`);
  return [
    ...(told.length > 0 ? [told.join(" ")] : []),
    ...(retryAfterSeconds ? [`Seconds to wait: ${retryAfterSeconds}.`] : []),
  ];
}
