// The error body that every HTTP surface answers with; JSON-RPC errors carry the same one.
import { z } from "zod";
import { type AppError, ERROR_TABLE, type ErrorCode } from "../codes.ts";

/** The page of the docs that explains every code, each under its own anchor. */
const DOCS_PAGE = "/docs/errors";

const CODES = Object.keys(ERROR_TABLE) as ErrorCode[];

export const apiErrorSchema = z
  .object({
    ok: z.literal(false).optional().describe("Present on generation operations."),
    error: z.string().describe("Legacy human-readable message, equal to message.").meta({ deprecated: true }),
    code: z.string().meta({
      description: `Stable identifier of the error. Known are ${CODES.join(", ")}; more may come, so take one that you do not know by its HTTP status.`,
      "x-extensible-enum": CODES,
      examples: ["invalid_request"],
    }),
    message: z.string().describe("The problem in plain words."),
    hint: z.string().describe("What to do next."),
    docs: z.string().describe("Path of the section of the docs that explains the code."),
    request_id: z.string().describe("Id of this request in the logs of the service."),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }).meta({ id: "Issue" }))
      .optional()
      .describe(
        "Each wrong field, when the request was refused for its fields; with idempotency_mismatch, each field that differs from the first request.",
      ),
    credits_required: z.number().int().optional(),
    credits_available: z.number().int().optional(),
    limit: z.number().int().optional().describe("With spend_limit_reached: the limit, in credits."),
    used: z
      .number()
      .int()
      .optional()
      .describe(
        "With spend_limit_reached: credits of the limit that are used; 0 if it is the request's own limit.",
      ),
    left: z
      .number()
      .int()
      .optional()
      .describe("With spend_limit_reached: credits that the limit still allows."),
    confirm_above: z
      .number()
      .int()
      .optional()
      .describe("With confirmation_required: up to this amount the key needs no confirmation."),
    confirmation_id: z
      .string()
      .optional()
      .describe("With confirmation_required: id of the approval request."),
    confirm_url: z
      .string()
      .optional()
      .describe("With confirmation_required: the page on which the key's owner approves or declines."),
    retry_after_seconds: z.number().int().optional().describe("Same as the Retry-After header."),
  })
  .meta({ id: "ApiError" });

/** The error body of OpenAI's API, for the addresses that speak it. */
export const openAiErrorSchema = z
  .object({
    error: z
      .object({
        message: z.string().describe("The problem and the next step."),
        type: z.string().describe("The kind of error, as OpenAI's libraries know it."),
        param: z.string().nullable().describe("The first wrong field, where it is about fields."),
        code: z.string().describe("As that of an ApiError."),
      })
      .meta({ id: "OpenAiErrorBody" }),
  })
  .meta({ id: "OpenAiError" });

export function toOpenAiError(
  code: ErrorCode,
  { message, hint, issues }: Pick<ApiErrorBody, "message" | "hint" | "issues">,
): z.output<typeof openAiErrorSchema> {
  const { http } = ERROR_TABLE[code];
  const isTheirs = http < 500 && code !== "generation_failed";
  return {
    error: {
      message: `${message} ${hint}`,
      type: OPENAI_TYPES[http] ?? (isTheirs ? "invalid_request_error" : "server_error"),
      param: issues?.[0]?.path || null,
      code,
    },
  };
}

const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  429: "rate_limit_error",
};

export type ApiErrorBody = z.output<typeof apiErrorSchema>;

/** What an AppError says to its caller. Without a stack, which takes longer to record than all of this. */
export type ErrorContent = Omit<AppError, "name" | "stack" | "cause">;

export function toApiError(error: ErrorContent, requestId: string): ApiErrorBody {
  return {
    error: error.message,
    code: error.code,
    message: error.message,
    hint: error.hint,
    docs: `${DOCS_PAGE}#${error.code}`,
    request_id: requestId,
    ...(error.issues && { issues: error.issues }),
    ...error.numbers,
    ...error.facts,
    ...(error.retryAfterSeconds && { retry_after_seconds: error.retryAfterSeconds }),
  };
}
