// The response for every failed HTTP request: ApiError, or RFC 9457 if the client asks for it. It reveals nothing internal.
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, ERROR_TABLE, type ErrorCode, invalidField } from "../../proto/codes.ts";
import { type ApiErrorBody, toApiError, toOpenAiError } from "../../proto/resources/error.ts";
import { logSecurity } from "../../runtime/ops/security-log.ts";
import { preferenceFor } from "./accept.ts";
import type { AnyReply, AnyRequest } from "./any-request.ts";
import { OVERLOADED } from "./load.ts";

const JSON_TYPE = "application/json";
export const REFUSAL_TYPE = "application/json; charset=utf-8";
const PROBLEM_TYPE = "application/problem+json";
/** Paths that only programs call. */
const PROGRAMS_PATH = /^\/(?:api|v1|account\/api|feeds|webhooks|\.well-known)(?:\/|$)/;
/** Paths that speak OpenAI's API, errors included. */
const OPENAI_PATH = /^\/v1(?:\/|$)/;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Errors of the route carry `ok: false`, as its successful responses carry `ok: true`. */
    envelope?: boolean;
  }
  interface FastifyInstance {
    /** Whether an unknown path belongs to an area whose routes use the envelope. */
    isAmongEnveloped: (path: string) => boolean;
    /** Set by the website; the same object in every scope of the server. */
    errorPages: { make: ErrorPage | undefined };
  }
}

/** A browser's response instead of an ApiError: a page with the status and headers of the error, or a redirect to a better page. */
export type ErrorPage = (
  request: FastifyRequest,
  error: { status: number; path: string; body: ApiErrorBody },
) => Promise<{ headers: Readonly<Record<string, string>>; html: string } | { location: string }>;

/** Errors that fastify raises itself, with the service's own texts. */
const FRAMEWORK_ERRORS: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError("body_too_large"),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError("unsupported_media_type"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError("invalid_json", { message: "The request body is not as long as its content-length." }),
  FST_ERR_BAD_URL: () =>
    invalidField("url", "has a percent sign that is not followed by two hexadecimal digits of valid UTF-8"),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError("not_found"),
};

/** The error for the caller, or undefined if `error` is a bug of the service. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  const known = typeof code === "string" ? FRAMEWORK_ERRORS[code] : undefined;
  if (known) return known();
  // The connection broke while the body was being read.
  const clientsFault = typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
  return clientsFault
    ? new AppError("invalid_request", { message: "The request could not be read." })
    : undefined;
}

/** Requests whose failure is already logged. */
const explained = new WeakSet<AnyRequest>();

/** Logs the one line for a request that fails because of a bug or a failing core, even if the response breaks off after its headers. */
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
  // Core or its database is unavailable. Their own logs say so too, so this is not an error of this process.
  else request.log.warn(context, "unavailable");
}

/** Logs a response that broke off after its headers. A disconnected client, and work that its disconnection cancels, are not failures. */
export function logBreak(error: Error, request: AnyRequest, status: number): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ERR_STREAM_PREMATURE_CLOSE" && !isAbort(error)) logFailure(error, request, status);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** For error responses that are not sent by `sendError`. */
export function logUnexplained(request: AnyRequest, reply: AnyReply): void {
  if (reply.statusCode >= 500 && !explained.has(request))
    logFailure(new Error("answered without a cause"), request, reply.statusCode);
}

/** Sends the response for `error`, and logs it once if the service is at fault. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The client has disconnected; the reason is the service's own signal, not a failure.
  if (isAbort(error) && reply.raw.destroyed) return reply.hijack();
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

/** If the page itself fails, the client gets the response for programs. */
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

/** The response for programs. */
function sendData(code: ErrorCode, body: ApiErrorBody, reply: FastifyReply): FastifyReply {
  const { request } = reply;
  const path = pathOf(request.url);
  const { is404, routeOptions, server } = request;
  const inEnvelope = is404 ? server.isAmongEnveloped(path) : routeOptions.config.envelope;
  const answer = inForm(path, code, body, inEnvelope);
  if (!OPENAI_PATH.test(path) && wantsProblem(request.headers.accept)) {
    // Bytes, because fastify adds a charset to text, and this media type has none.
    return reply
      .type(PROBLEM_TYPE)
      .send(Buffer.from(JSON.stringify({ ...toProblem(code, body, path), ...answer })));
  }
  return reply.type(REFUSAL_TYPE).send(JSON.stringify(answer));
}

/** The body of a refusal on this path, for clients that ask for no other form. */
export function inForm(path: string, code: ErrorCode, body: ApiErrorBody, inEnvelope = false): object {
  if (OPENAI_PATH.test(path)) return toOpenAiError(code, body);
  return inEnvelope ? { ok: false, ...body } : body;
}

/** Logs refusals that only a mistake or an attack can cause. */
export function noteForSecurity(code: ErrorCode, request: AnyRequest): void {
  const facts = { address: request.ip, request_id: request.id };
  if (code === "invalid_key") logSecurity(request.log, "bad_key", facts);
  if (code === "request_forged") logSecurity(request.log, "form_refused", facts);
}

function toProblem(code: ErrorCode, body: ApiErrorBody, path: string): Record<string, unknown> {
  return {
    type: body.docs,
    title: ERROR_TABLE[code].message,
    status: ERROR_TABLE[code].http,
    detail: body.message,
    instance: path,
  };
}

/** True if the client accepts the media type at least as much as plain JSON, and names it. */
function wantsProblem(accept: string | undefined): boolean {
  const problem = preferenceFor(PROBLEM_TYPE, accept);
  return (
    problem.isNamed && problem.quality > 0 && problem.quality >= preferenceFor(JSON_TYPE, accept).quality
  );
}

/** True for a browser that navigates to a page. Paths for programs always respond with JSON. */
function wantsPage(accept: string | undefined, path: string): boolean {
  if (PROGRAMS_PATH.test(path)) return false;
  const page = preferenceFor("text/html", accept);
  const json = preferenceFor(JSON_TYPE, accept);
  // A client that accepts both alike is a program that accepts anything.
  return page.isNamed && (json.isNamed ? page.quality > json.quality : page.quality > 0);
}

export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}
