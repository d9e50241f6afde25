// Every failure of an HTTP request as one answer: ApiError, or RFC 9457 for those who ask for it. Nothing internal gets out.
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import { type ApiErrorBody, toApiError, toOpenAiError } from "../../proto/resources/error.ts";
import { preferenceFor } from "./accept.ts";
import type { AnyReply, AnyRequest } from "./any-request.ts";
import { OVERLOADED } from "./load.ts";
import { logSecurity } from "../../runtime/ops/security-log.ts";

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
/** Addresses that only programs call. */
const PROGRAMS_PATH = /^\/(?:api|v1|account\/api|feeds|webhooks|\.well-known)(?:\/|$)/;
/** Addresses that speak OpenAI's API, errors included. */
const OPENAI_PATH = /^\/v1(?:\/|$)/;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Errors of the route carry `ok: false`, as its successes carry `ok: true`. */
    envelope?: boolean;
  }
  interface FastifyInstance {
    /** Whether a path that leads nowhere lies where routes answer in the envelope. */
    isAmongEnveloped: (path: string) => boolean;
    /** Set by whoever has pages; the same object in every scope of the server. */
    errorPages: { make: ErrorPage | undefined };
  }
}

/** What a person sees instead of an ApiError: a page, with the status and headers of the error itself, or a redirect to a better place. */
export type ErrorPage = (
  request: FastifyRequest,
  error: { status: number; path: string; body: ApiErrorBody },
) => Promise<{ headers: Readonly<Record<string, string>>; html: string } | { location: string }>;

/** What fastify raises by itself, in our words. */
const FRAMEWORK_ERRORS: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError("body_too_large"),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError("unsupported_media_type"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError("invalid_json", { message: "The request body is not as long as its content-length." }),
  FST_ERR_BAD_URL: () =>
    invalidAddress("has a percent sign that is not followed by two hexadecimal digits of valid UTF-8"),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError("not_found"),
};

/** The error for the caller, or undefined where `error` is a bug of ours. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  const known = typeof code === "string" ? FRAMEWORK_ERRORS[code] : undefined;
  if (known) return known();
  // A connection that breaks while its body is read.
  const clientsFault = typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
  return clientsFault
    ? new AppError("invalid_request", { message: "The request could not be read." })
    : undefined;
}

/** Requests of which a log line tells why they failed. */
const explained = new WeakSet<AnyRequest>();

/**
 * The one log line for a request that fails through no fault of its sender: because of a bug or a failing core, even if the answer breaks
 * off after its headers. It has the cause.
 */
export function logFailure(cause: unknown, request: AnyRequest, status: number): void {
  explained.add(request);
  if (cause === OVERLOADED) return;
  const context = {
    err: cause,
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status,
  };
  if (status < 500) request.log.error(context, "a response broke off");
  else if (status === 500) request.log.error(context, "internal error");
  // Core or its database is away: said in their own logs, too, and no fault to be found here.
  else request.log.warn(context, "unavailable");
}

/** A response that broke off after its headers. A client that goes away is no failure, nor is what that cancels. */
export function logBreak(error: Error, request: AnyRequest, status: number): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ERR_STREAM_PREMATURE_CLOSE" && error.name !== "AbortError")
    logFailure(error, request, status);
}

/** For error answers that were sent without `sendError`. */
export function logUnexplained(request: AnyRequest, reply: AnyReply): void {
  if (reply.statusCode >= 500 && !explained.has(request))
    logFailure(new Error("answered without a cause"), request, reply.statusCode);
}

/** Answers with `error`. Whatever is the service's fault is logged here, once. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error) ?? new AppError("internal");
  noteForSecurity(known.code, request);
  const body = toApiError(known, request.id);
  const status = ERROR_TABLE[known.code].http;
  if (status >= 500) logFailure(error, request, status);
  reply.code(status).header("cache-control", "no-store");
  if (known.retryAfterSeconds) reply.header("retry-after", Math.max(1, Math.ceil(known.retryAfterSeconds)));
  if (status === 401) reply.header("www-authenticate", 'Bearer realm="atelier"');

  const path = pathOf(request.url);
  const { make } = request.server.errorPages;
  if (make && wantsPage(request.headers.accept, path)) {
    void sendPage(make(request, { status, path, body }), () => sendData(known.code, body, reply), reply);
    return reply;
  }
  return sendData(known.code, body, reply);
}

/** Where the page itself fails, the error is told as it is to programs. */
async function sendPage(
  making: ReturnType<ErrorPage>,
  sendInstead: () => FastifyReply,
  reply: FastifyReply,
): Promise<void> {
  try {
    const page = await making;
    if ("location" in page) reply.redirect(page.location, 303);
    else reply.headers(page.headers).send(page.html);
  } catch (fault) {
    logFailure(fault, reply.request, 500);
    sendInstead();
  }
}

/** For programs. */
function sendData(code: ErrorCode, body: ApiErrorBody, reply: FastifyReply): FastifyReply {
  const { request } = reply;
  const path = pathOf(request.url);
  const { is404, routeOptions, server } = request;
  if (OPENAI_PATH.test(path))
    return reply.type("application/json; charset=utf-8").send(JSON.stringify(toOpenAiError(code, body)));
  const inEnvelope = is404 ? server.isAmongEnveloped(path) : routeOptions.config.envelope;
  const answer = inEnvelope ? { ok: false, ...body } : body;
  if (wantsProblem(request.headers.accept)) {
    // Bytes, because fastify adds a charset to text, which this media type does not have.
    return reply
      .type(PROBLEM_TYPE)
      .send(Buffer.from(JSON.stringify({ ...toProblem(code, body, path), ...answer })));
  }
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
}

/** Logs refusals that only a mistake or an attack can bring about. */
export function noteForSecurity(code: ErrorCode, request: AnyRequest): void {
  const facts = { address: request.ip, request_id: request.id };
  if (code === "invalid_key") logSecurity(request.log, "bad_key", facts);
  if (code === "request_forged") logSecurity(request.log, "form_refused", facts);
}

function toProblem(code: ErrorCode, body: ApiErrorBody, path: string): Record<string, unknown> {
  return {
    type: `${body.docs}#${code}`,
    title: ERROR_TABLE[code].message,
    status: ERROR_TABLE[code].http,
    detail: body.message,
    instance: path,
  };
}

/** Whoever names the media type and wants plain JSON no more than it. */
function wantsProblem(accept: string | undefined): boolean {
  const problem = preferenceFor(PROBLEM_TYPE, accept);
  return (
    problem.isNamed && problem.quality > 0 && problem.quality >= preferenceFor(JSON_TYPE, accept).quality
  );
}

/** A browser that was sent to an address, not a program. What programs call answers them in JSON, whoever asks. */
function wantsPage(accept: string | undefined, path: string): boolean {
  if (PROGRAMS_PATH.test(path)) return false;
  const page = preferenceFor("text/html", accept);
  const json = preferenceFor(JSON_TYPE, accept);
  // Who names both alike is a program that takes what comes.
  return page.isNamed && (json.isNamed ? page.quality > json.quality : page.quality > 0);
}

function invalidAddress(message: string): AppError {
  return new AppError("invalid_request", {
    issues: [{ path: "url", message }],
  });
}

export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}
