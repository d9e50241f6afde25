// Protects sessions against requests of other sites: a request that changes something must come from a page of this site (Fetch Metadata,
// otherwise Origin) and carry the token of its session.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../../proto/codes.ts";
import { formOf } from "./forms.ts";

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

export function changesSomething({ method }: FastifyRequest): boolean {
  return !SAFE_METHODS.includes(method);
}

/** Refuses unsafe requests of other sites before the body is read. */
export function refuseForeignPages(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook("onRequest", async (request) => {
    if (changesSomething(request) && !isFromHere(request, origins)) throw new AppError("request_forged");
  });
}

/** Throws request_forged unless the request carries the token of its session. */
export function checkCsrf(request: FastifyRequest, sessionId: string): void {
  const header = request.headers["x-csrf-token"];
  const sent = typeof header === "string" ? header : formOf(request).get("csrf_token");
  if (!request.server.sessions.cookies.isCsrfToken(sessionId, sent)) throw new AppError("request_forged");
}

function isFromHere(request: FastifyRequest, origins: readonly string[]): boolean {
  const site = request.headers["sec-fetch-site"];
  // "none" means that the person started the request, for example by reloading a form.
  if (site !== undefined) return site === "same-origin" || site === "none";
  const sent = request.headers.origin;
  // Programs send neither header. No browser omits both, and the token is checked in any case.
  return sent === undefined || origins.includes(sent) || sent === `${request.protocol}://${request.host}`;
}
