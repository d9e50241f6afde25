// Responses that are ready in memory bypass fastify, which would take longer to pass them on than sending them takes. They carry the usual
// headers, count against the usual limits and appear in the usual metrics.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../runtime/config/config.ts";
import { createRequestIds, requestIdOf } from "../../runtime/log/request-id.ts";
import { addressSubject } from "../../runtime/networks.ts";
import { beforeRoutes } from "./before-routes.ts";
import { addressOf, isOverTls } from "./forwarded.ts";
import type { LimitName, RateLimits } from "./rate-limit.ts";
import { findRequestLineFault } from "./request-line.ts";
import { HSTS, SECURITY_HEADERS } from "./standard-headers.ts";

const NO_HEADERS: readonly string[] = [];

export type ReadyAnswer = {
  readonly status: number;
  /**
   * Name, value, name, value; names in lower case. Includes Content-Length if there is a body, but no RateLimit. Ends with X-Request-Id,
   * whose value is overwritten for each response, because a new list for each response would be a tenth of the work.
   */
  readonly headers: string[];
  /** Text holds bytes, one latin1 character for each; see readyBody. */
  readonly body: Buffer | string | undefined;
  /** The route pattern in metrics. */
  readonly route: string;
  /** The rate limit of the address that the response counts against, if any. */
  readonly limit: LimitName | undefined;
};

/** Looks up the response. Must be fast and must not throw. Undefined leaves the request to the routes. */
export type FindReady = (request: IncomingMessage) => ReadyAnswer | undefined;

/** Headers that every response with a body must have. */
export const STANDARD_HEADERS: readonly string[] = Object.entries(SECURITY_HEADERS).flat();

/** With its headers, a text of this size fits into what node writes without an allocation. */
const MAX_TEXT_BYTES = 12 * 1024;

/** The form in which the bytes are sent fastest: node sends short text together with the headers, in one piece. */
export function readyBody(bytes: Buffer): Buffer | string {
  return bytes.length <= MAX_TEXT_BYTES ? bytes.toString("latin1") : bytes;
}

/** Calls `find` before any route, for GET and HEAD without a body. */
export function answerReady(
  app: FastifyInstance,
  { config, limits }: { config: Config; limits: RateLimits },
  find: FindReady,
): void {
  const newRequestId = createRequestIds();

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, body, route }: ReadyAnswer,
    rateHeaders: readonly string[],
  ): void {
    const { method = "" } = request;
    headers[headers.length - 1] = requestIdOf(request) ?? newRequestId();
    const own = isOverTls(request, config)
      ? ["strict-transport-security", HSTS, ...rateHeaders]
      : rateHeaders;
    response.writeHead(status, own.length > 0 ? headers.concat(own) : headers);
    response.end(method === "HEAD" ? undefined : body, "latin1");
    app.noteAnswer?.(method, route, status);
  }

  beforeRoutes(app, (request, response, pass) => {
    const answer = isSimpleRead(request) ? find(request) : undefined;
    if (!answer) return pass(request, response);
    if (!answer.limit || !config.rateLimits) return send(request, response, answer, NO_HEADERS);
    limits.count(answer.limit, addressSubject(addressOf(request, config))).then(
      ({ refusal, headers }) => {
        // The route counts the request again, which does not change the refusal.
        if (refusal) pass(request, response);
        else send(request, response, answer, Object.entries(headers).flat());
      },
      () => pass(request, response),
    );
  });
}

function isSimpleRead(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return (
    (method === "GET" || method === "HEAD") &&
    headers.host !== undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined &&
    findRequestLineFault(request) === undefined
  );
}
