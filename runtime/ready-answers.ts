// Answers that lie ready are sent past fastify, which would take longer to pass them on than it takes to send them. They carry the same
// headers as any other answer, count for the same limits and show in the same metrics.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { createNewId } from "./clock.ts";
import type { Config } from "./config.ts";
import { HSTS, requestIdOf, SECURITY_HEADERS } from "./http.ts";
import { addressSubject, type LimitName, type RateLimits } from "./rate-limit.ts";

export type ReadyAnswer = {
  readonly status: number;
  /** All but X-Request-Id and RateLimit: name, value, name, value, in lower case. Content-Length where there is a body. */
  readonly headers: readonly string[];
  readonly body: Buffer | undefined;
  /** The pattern under which metrics count it. */
  readonly route: string;
  /** Which rate of the address it counts for, if any. */
  readonly limit: LimitName | undefined;
};

/** Looks up what to answer; must be quick and not throw. undefined leaves the request to the routes. */
export type FindReady = (request: IncomingMessage) => ReadyAnswer | undefined;

/** What an answer with a body has to have among its headers. */
export const STANDARD_HEADERS: readonly string[] = Object.entries(SECURITY_HEADERS).flat();

/** Asks `find` before any route. Only for GET and HEAD without a body. */
export function answerReady(
  app: FastifyInstance,
  { config, limits }: { config: Config; limits: RateLimits },
  find: FindReady,
): void {
  const newId = createNewId();
  const { server } = app;
  const routes = server.listeners("request");
  let isDraining = false;
  app.addHook("preClose", async () => {
    isDraining = true;
  });

  function pass(request: IncomingMessage, response: ServerResponse): void {
    for (const route of routes) route.call(server, request, response);
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: ReadyAnswer,
    rateHeaders: readonly string[],
  ): void {
    const id = requestIdOf(request) ?? newId("req");
    const headers = answer.headers.concat("x-request-id", id, rateHeaders);
    if (config.trustProxy && lastOf(request.headers["x-forwarded-proto"]) === "https")
      headers.push("strict-transport-security", HSTS);
    response.writeHead(answer.status, headers);
    if (request.method === "HEAD" || !answer.body) response.end();
    else response.end(answer.body);
  }

  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const startMs = performance.now();
    const answer = isDraining || !isSimpleRead(request) ? undefined : find(request);
    if (!answer) return pass(request, response);
    const done = (rateHeaders: readonly string[]) => {
      send(request, response, answer, rateHeaders);
      app.countAnswer?.(request.method ?? "", answer.route, answer.status, performance.now() - startMs);
    };
    if (!answer.limit || !config.rateLimits) return done([]);
    limits.count(answer.limit, addressSubject(addressOf(request, config))).then(
      ({ refusal, headers }) => {
        // Counted once more on the way, which changes nothing for whoever is over the limit.
        if (refusal) pass(request, response);
        else done(Object.entries(headers).flat());
      },
      () => pass(request, response),
    );
  });
}

function isSimpleRead({ method, headers }: IncomingMessage): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers.host !== undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined
  );
}

/** As fastify finds it: only the proxy in front of us is believed. */
function addressOf(request: IncomingMessage, config: Config): string {
  const forwarded = config.trustProxy ? lastOf(request.headers["x-forwarded-for"]) : "";
  return forwarded === "" ? (request.socket.remoteAddress ?? "") : forwarded;
}

function lastOf(header: string | string[] | undefined): string {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text.slice(text.lastIndexOf(",") + 1).trim();
}
