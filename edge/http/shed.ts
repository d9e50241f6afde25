// Refuses requests during overload before anything else is done for them. Through the routes a refusal takes half as long as a response,
// so that refusing many requests would keep the process overloaded.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { ERROR_TABLE } from "../../proto/codes.ts";
import type { Config } from "../../runtime/config/config.ts";
import { createRequestIds, requestIdOf } from "../../runtime/log/request-id.ts";
import { beforeRoutes } from "./before-routes.ts";
import { pathOf } from "./errors.ts";
import { isOverTls } from "./forwarded.ts";
import { OVERLOADED } from "./load.ts";
import type { RateLimits } from "./rate-limit.ts";
import { findRequestLineFault } from "./request-line.ts";
import { HSTS, SECURITY_HEADERS } from "./standard-headers.ts";

/** The refusal that a path without parameters would send during overload, as prepareShed makes it. */
export type Shed = {
  readonly headers: Readonly<Record<string, string>>;
  /** The texts between which the id of the request is inserted. */
  readonly body: readonly string[];
  /** True for a request that ends work instead of adding some, which is not refused. */
  readonly endsWork?: ((headers: IncomingHttpHeaders) => boolean) | undefined;
};

declare module "fastify" {
  interface FastifyInstance {
    /** By method and path, for example `GET /api/jobs`. */
    sheds: Map<string, Shed>;
  }
}

const STATUS = ERROR_TABLE[OVERLOADED.code].http;
const PLACEHOLDER = "id-of-the-request";
/** Other forms of a refusal exist for clients that name one of these. */
const OTHER_FORMS = /problem|html/i;

/** Serves `app.sheds`. Requests that are unusual in any way are left to the routes, which refuse them too. */
export function shedOverload(
  app: FastifyInstance,
  { config, limits, maxBytes }: { config: Config; limits: Pick<RateLimits, "mustRefuse">; maxBytes: number },
): void {
  const newRequestId = createRequestIds();
  beforeRoutes(app, (raw, response, pass) => {
    const { method = "", url = "" } = raw;
    const path = pathOf(url);
    const shed = app.sheds.get(`${method} ${path}`);
    if (!shed || !isUsual(raw, maxBytes) || shed.endsWork?.(raw.headers) || !limits.mustRefuse())
      return pass(raw, response);
    const id = requestIdOf(raw) ?? newRequestId();
    const body = shed.body.join(id);
    response.writeHead(STATUS, {
      ...shed.headers,
      "x-request-id": id,
      "content-length": Buffer.byteLength(body),
      ...(isOverTls(raw, config) && { "strict-transport-security": HSTS }),
    });
    response.end(body);
    app.noteAnswer?.(method, path, STATUS, 0);
  });
}

/**
 * Prepares a refusal, because refusals must cost as little as possible. `headers`, with names in lower case, are in addition to those of
 * every response and every refusal. `body` is called once, with a placeholder for the id.
 */
export function prepareShed(
  { headers, endsWork }: Omit<Shed, "body">,
  body: (requestId: string) => string,
): Shed {
  return {
    headers: {
      ...SECURITY_HEADERS,
      "cache-control": "no-store",
      "retry-after": String(OVERLOADED.retryAfterSeconds),
      ...headers,
    },
    body: body(PLACEHOLDER).split(PLACEHOLDER),
    endsWork,
  };
}

function isUsual(request: IncomingMessage, maxBytes: number): boolean {
  const { headers } = request;
  return (
    headers.origin === undefined &&
    headers["transfer-encoding"] === undefined &&
    Number(headers["content-length"] ?? 0) <= maxBytes &&
    (headers.accept === undefined || !OTHER_FORMS.test(headers.accept)) &&
    findRequestLineFault(request) === undefined
  );
}
