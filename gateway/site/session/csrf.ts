// Keeps pages of other sites from acting with a person's session: what changes something must come from a page of this site
// (Fetch Metadata, else Origin), and must carry the token of the session that it comes with.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../../proto/codes.ts";
import { formOf } from "./forms.ts";

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

export function changesSomething({ method }: FastifyRequest): boolean {
  return !SAFE_METHODS.includes(method);
}

/** Refuses, before the body is read, every unsafe request of this scope that a page of another site made. */
export function refuseForeignPages(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook("onRequest", async (request) => {
    if (changesSomething(request) && !isFromHere(request, origins)) throw new AppError("request_forged");
  });
}

/** Throws request_forged, unless the request carries the token of its session. */
export function checkCsrf(request: FastifyRequest, sessionId: string): void {
  const header = request.headers["x-csrf-token"];
  const sent = typeof header === "string" ? header : formOf(request).get("csrf_token");
  if (!request.server.sessions.cookies.isCsrfToken(sessionId, sent)) throw new AppError("request_forged");
}

function isFromHere(request: FastifyRequest, origins: readonly string[]): boolean {
  const site = request.headers["sec-fetch-site"];
  // "none": a person's own doing, such as sending a form again from the history.
  if (site !== undefined) return site === "same-origin" || site === "none";
  const sent = request.headers.origin;
  // Programs send neither. No browser leaves both out, and the token is asked for either way.
  return sent === undefined || origins.includes(sent) || sent === `${request.protocol}://${request.host}`;
}
