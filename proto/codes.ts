// The error table. Core raises these codes as gRPC statuses; the gateways only translate. A code determines its gRPC status, HTTP status,
// JSON-RPC code, whether a retry can help, and the words a caller reads.
import { status } from "@grpc/grpc-js";

type ErrorRow = {
  /** The gRPC status with the same meaning. */
  readonly grpc: status;
  readonly http: number;
  /** Positive, because -32768..-32000 belongs to JSON-RPC itself; the three exceptions are the protocol's own codes. */
  readonly jsonRpc: number;
  /** True if the same request may succeed later without a change. */
  readonly retryable: boolean;
  /** Used if the code that raises the error has nothing more exact to say. */
  readonly message: string;
  /** The next step, for the user or agent who reads the response. */
  readonly hint: string;
};

/** Statuses that say the same. The JSON-RPC code is the HTTP status plus 1000, unless the protocol has its own. */
function statuses(
  grpc: status,
  http: number,
  { jsonRpc = 1_000 + http, retryable = false }: Partial<Pick<ErrorRow, "jsonRpc" | "retryable">> = {},
): Omit<ErrorRow, "message" | "hint"> {
  return { grpc, http, jsonRpc, retryable };
}

const UNAUTHENTICATED = statuses(status.UNAUTHENTICATED, 401);
const TOO_EXPENSIVE = statuses(status.FAILED_PRECONDITION, 402);
const FORBIDDEN = statuses(status.PERMISSION_DENIED, 403);
const NOT_FOUND = statuses(status.NOT_FOUND, 404);
const CONFLICT = statuses(status.FAILED_PRECONDITION, 409);
const UNPROCESSABLE = statuses(status.FAILED_PRECONDITION, 422);

export const ERROR_TABLE = {
  invalid_json: {
    ...statuses(status.INVALID_ARGUMENT, 400, { jsonRpc: -32700 }),
    message: "The request body is not valid JSON.",
    hint: "Send one complete JSON document in UTF-8.",
  },
  invalid_request: {
    ...statuses(status.INVALID_ARGUMENT, 400, { jsonRpc: -32602 }),
    message: "The request has a field that is missing, unknown or out of range.",
    hint: "Correct the named fields and send the request again.",
  },
  missing_key: {
    ...UNAUTHENTICATED,
    message: "No API key was sent.",
    hint: "Send the key in the header: Authorization: Bearer <key>.",
  },
  invalid_key: {
    ...UNAUTHENTICATED,
    message: "The API key is not valid here.",
    hint: "Check that the whole key was copied and that it is of the right kind and still live; create a new one in account settings if in doubt.",
  },
  not_signed_in: {
    ...UNAUTHENTICATED,
    message: "No one is signed in.",
    hint: "Sign in at /sign-in and try again.",
  },
  invalid_link: {
    ...statuses(status.FAILED_PRECONDITION, 400),
    message: "This sign-in link cannot be used: it has expired, was used before, or is not complete.",
    hint: "Ask for a new link at /sign-in; each one works once, for 15 minutes.",
  },
  insufficient_credits: {
    ...TOO_EXPENSIVE,
    message: "The account has fewer credits available than this generation costs.",
    hint: "Add credits on the website, or choose a cheaper model or smaller params.",
  },
  spend_limit_reached: {
    ...TOO_EXPENSIVE,
    message: "This generation costs more than a spending limit allows.",
    hint: "Ask for less: POST /api/v1/connect/estimate prices a request for nothing. Or raise the limit that was exceeded: max_credits of the request, or a limit of the key, which its owner changes at /account/keys.",
  },
  confirmation_required: {
    ...TOO_EXPENSIVE,
    message: "The price is above the amount that this key may spend without the user's approval.",
    hint: "Ask the user to approve it at confirm_url, then send the same request again with the same key. Nothing is held until then.",
  },
  confirmation_declined: {
    ...TOO_EXPENSIVE,
    message: "The user declined this request.",
    hint: "Do not repeat it unless they ask for it; a request that costs less may need no confirmation. Nothing was held.",
  },
  insufficient_scope: {
    ...FORBIDDEN,
    message: "This key may read but not write.",
    hint: "Use a key with the write scope; one can be created in account settings.",
  },
  plan_excludes_api: {
    ...FORBIDDEN,
    message: "The account's plan does not include the generation API.",
    hint: "Move to a plan that includes the API; GET /api/plans lists them.",
  },
  membership_inactive: {
    ...FORBIDDEN,
    message: "The account has no active membership that includes this service.",
    hint: "Join, renew or upgrade on the website's membership page; the key works again as soon as the membership includes the service.",
  },
  membership_required: {
    ...FORBIDDEN,
    message: "This is for members, and the account's membership does not include it.",
    hint: "Join or renew the membership at /account/membership, then try again.",
  },
  account_suspended: {
    ...FORBIDDEN,
    message: "The account is suspended.",
    hint: "Write to support to learn why and how to restore it.",
  },
  origin_not_allowed: {
    ...FORBIDDEN,
    message: "Pages of this origin may not call the tools.",
    hint: "Call from a program instead of a web page, or ask the operator to allow the page's origin.",
  },
  request_forged: {
    ...FORBIDDEN,
    message: "The request did not come from a page of this site that belongs to the current session.",
    hint: "Load the page again and repeat what you did; scripts send the x-csrf-token that their page was given.",
  },
  not_found: {
    ...NOT_FOUND,
    message: "There is nothing at this address.",
    hint: "Check the path against the API documentation.",
  },
  product_not_found: {
    ...NOT_FOUND,
    message: "No public product has this slug.",
    hint: "Use a slug returned by GET /api/catalog.",
  },
  job_not_found: {
    ...NOT_FOUND,
    message: "This account has no job with this id.",
    hint: "Use the job_id from the generate response, with a key of the same account.",
  },
  workflow_not_found: {
    ...NOT_FOUND,
    message: "This account has no workflow with this id.",
    hint: "Use the workflow_id from the response to the request, with a key of the same account.",
  },
  upload_not_found: {
    ...NOT_FOUND,
    message: "This account has no such upload or output, or it has expired.",
    hint: "Upload the file again, or use the output_id of a job of this account whose files are still kept.",
  },
  method_not_allowed: {
    ...statuses(status.UNIMPLEMENTED, 405, { jsonRpc: -32601 }),
    message: "This address does not support that method.",
    hint: "Use one of the methods in the Allow header.",
  },
  job_not_cancellable: {
    ...CONFLICT,
    message: "This job cannot be cancelled any more.",
    hint: "Read the job: it has ended, or its provider cannot stop. A failed job is refunded automatically.",
  },
  workflow_not_cancellable: {
    ...CONFLICT,
    message: "This workflow cannot be cancelled any more: it has ended.",
    hint: "Read the workflow: its steps show the state of each. Failed steps were refunded automatically.",
  },
  job_not_ended: {
    ...CONFLICT,
    message: "The job has not ended yet.",
    hint: "Wait until it has ended: its webhook is sent automatically then. GET /api/jobs/{id}?wait=60 responds when it ends.",
  },
  hold_ended: {
    ...CONFLICT,
    message: "The hold has ended.",
    hint: "Begin another hold with a new key. Credits that were not captured are back on the account.",
  },
  ticket_closed: {
    ...CONFLICT,
    message: "The ticket is closed.",
    hint: "Open a new one at /support/new, and name this one in it.",
  },
  key_limit_reached: {
    ...statuses(status.RESOURCE_EXHAUSTED, 409),
    message: "The account has reached its limit of live keys.",
    hint: "Revoke a key that is no longer used, then create the new one.",
  },
  upload_limit_reached: {
    ...statuses(status.RESOURCE_EXHAUSTED, 409),
    message: "The account has reached its limit of kept uploads.",
    hint: "Delete uploads that are no longer needed, or wait until some expire; then try again.",
  },
  upload_too_large: {
    ...statuses(status.INVALID_ARGUMENT, 413),
    message: "The file is larger than the limit for its kind.",
    hint: "Send a picture of at most 25 MiB, audio of at most 50 MiB or video of at most 200 MiB.",
  },
  body_too_large: {
    ...statuses(status.INVALID_ARGUMENT, 413),
    message: "The request body is larger than 64 KiB.",
    hint: "Send a smaller body.",
  },
  unsupported_media_type: {
    ...statuses(status.INVALID_ARGUMENT, 415),
    message: "The request body must be JSON.",
    hint: "Send the header content-type: application/json.",
  },
  range_not_satisfiable: {
    ...statuses(status.OUT_OF_RANGE, 416),
    message: "The requested range has no byte of the file.",
    hint: "Request a range within the number of bytes that Content-Range names, or the whole file without Range.",
  },
  model_not_available: {
    ...UNPROCESSABLE,
    message: "No live model has this slug.",
    hint: "Choose a model_slug from GET /api/models.",
  },
  modality_mismatch: {
    ...UNPROCESSABLE,
    message: "The model does not make this modality.",
    hint: "Send the modality that GET /api/models shows for the model.",
  },
  unsupported_input: {
    ...UNPROCESSABLE,
    message: "The file is of a kind that cannot be used.",
    hint: "Use a picture (PNG, JPEG, WebP, AVIF or a GIF that does not move), audio (WAV, MP3, FLAC or AAC) or video (MP4 or WebM).",
  },
  input_unreachable: {
    ...UNPROCESSABLE,
    message: "The address of an input could not be fetched.",
    hint: "Use an https address on the public internet that answers with the file itself, or upload the file and use its upload_id.",
  },
  callback_url_refused: {
    ...UNPROCESSABLE,
    message: "The service may not call this callback_url.",
    hint: "Use an https address that is reachable from the public internet, without a user name or password in it.",
  },
  idempotency_mismatch: {
    ...UNPROCESSABLE,
    message: "This Idempotency-Key was used before with a different request.",
    hint: "Send the first request's body again, or choose a new key for a new request.",
  },
  invalid_signature: {
    ...statuses(status.INVALID_ARGUMENT, 400),
    message: "The event is not signed by the payment provider, or was signed too long ago.",
    hint: "Check the secret that the provider signs its events with, and this machine's clock.",
  },
  not_for_sale: {
    ...CONFLICT,
    message: "This cannot be bought now.",
    hint: "Open its page: it shows when it can be bought.",
  },
  already_owned: {
    ...CONFLICT,
    message: "The account has this licence already.",
    hint: "Find it among your licences.",
  },
  price_changed: {
    ...CONFLICT,
    message: "The price has changed since it was shown.",
    hint: "Read the new price and confirm it to continue. Nothing was charged.",
  },
  order_not_payable: {
    ...CONFLICT,
    message: "The order cannot be paid: it is paid already, it is over, or the bank still decides.",
    hint: "Open the order at /account/orders: its history says what happened. Place a new order if it is over.",
  },
  trial_unavailable: {
    ...CONFLICT,
    message: "This account cannot start a trial.",
    hint: "Each mailbox has one trial. Choose a plan at /pricing.",
  },
  order_conflict: {
    ...CONFLICT,
    message: "The order is in a state in which this cannot be done.",
    hint: "Read the order: its events show what happened to it.",
  },
  rate_limited: {
    ...statuses(status.RESOURCE_EXHAUSTED, 429, { retryable: true }),
    message: "Too many requests.",
    hint: "Wait for the seconds in Retry-After, then try again.",
  },
  queue_full: {
    ...statuses(status.RESOURCE_EXHAUSTED, 429, { retryable: true }),
    message: "Too many jobs of this account are waiting already.",
    hint: "Wait for some of them to finish, then try again.",
  },
  generation_failed: {
    ...UNPROCESSABLE,
    message: "The generation failed.",
    hint: "Its credits were refunded in full. Change the request, or send it again as a new one.",
  },
  catalog_unavailable: {
    ...statuses(status.UNAVAILABLE, 500, { retryable: true }),
    message: "The catalog is unavailable for the moment.",
    hint: "Try again with backoff.",
  },
  internal: {
    ...statuses(status.INTERNAL, 500, { jsonRpc: -32603, retryable: true }),
    message: "The service failed to handle the request.",
    hint: "Try again; if the error stays, write to support with the request_id.",
  },
  service_unavailable: {
    ...statuses(status.UNAVAILABLE, 503, { retryable: true }),
    message: "The service is unavailable for the moment.",
    hint: "Wait for the seconds in Retry-After, then try again; with an Idempotency-Key a repeat is safe.",
  },
  deadline_exceeded: {
    ...statuses(status.DEADLINE_EXCEEDED, 504, { retryable: true }),
    message: "The response took too long.",
    hint: "Wait for the seconds in Retry-After, then try again; with an Idempotency-Key a repeat is safe.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** One wrong field: `path` in dotted form as the caller sent it ("params.width"), `message` in plain words. */
export type Issue = { path: string; message: string };

export type AppErrorDetails = {
  /**
   * Replaces the table's message. Any caller may read it. For an invalid_request, the issues make a message that names the first fields.
   */
  message?: string;
  hint?: string;
  issues?: Issue[];
  /** Whole seconds to wait, at least 1. */
  retryAfterSeconds?: number;
  /** Extra numbers for the answer, for example credits_required. */
  numbers?: Record<string, number>;
  /** Extra texts for the answer, for example confirm_url. */
  facts?: Record<string, string>;
};

/** An error for the caller. Anything else that is thrown is a bug and is answered as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly issues: Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly numbers: Record<string, number> | undefined;
  readonly facts: Record<string, string> | undefined;

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    const ofIssues =
      code === "invalid_request" && details.issues?.length ? toSentence(details.issues) : undefined;
    super(details.message ?? ofIssues ?? ERROR_TABLE[code].message);
    this.name = "AppError";
    this.code = code;
    this.hint = details.hint ?? ERROR_TABLE[code].hint;
    this.issues = details.issues;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.numbers = details.numbers;
    this.facts = details.facts;
  }
}

/** The error of one field: invalid_request. */
export function invalidField(path: string, message: string): AppError {
  return new AppError("invalid_request", { issues: [{ path, message }] });
}

/** Returns the value as one of these. Throws invalid_request naming the field. */
export function oneOf<T extends string>(path: string, known: readonly T[], value: string): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw invalidField(path, `must be one of ${known.join(", ")}`);
}

/** The error if it has one of these codes. Throws every other. */
export function expectedError(error: unknown, codes: readonly ErrorCode[]): AppError {
  if (error instanceof AppError && codes.includes(error.code)) return error;
  throw error;
}

/** Whether the message says more than the table's and than the issues do. */
export function hasOwnMessage({
  code,
  message,
  issues,
}: {
  code: ErrorCode;
  message: string;
  issues?: readonly Issue[] | undefined;
}): boolean {
  return message !== ERROR_TABLE[code].message && !(issues?.length && message === toSentence(issues));
}

const MAX_IN_MESSAGE = 3;

/** The first wrong fields and what is wrong with them, in one sentence. */
function toSentence(issues: readonly Issue[]): string {
  const shown = issues
    .slice(0, MAX_IN_MESSAGE)
    .map(({ path, message }) => `${path || "The body"} ${message}`);
  if (issues.length > MAX_IN_MESSAGE) shown.push(`and ${issues.length - MAX_IN_MESSAGE} more`);
  return `${shown.join("; ")}.`;
}

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, value);
}
