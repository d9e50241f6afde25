// Protects the private routes of the website: one hook identifies the person before any route. A change must come from a page of this site
// and counts towards the rate of the account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RateLimits } from "../../../edge/http/rate-limit.ts";
import { AppError } from "../../../proto/codes.ts";
import { changesSomething, checkCsrf } from "./csrf.ts";
import { admitPerson } from "./current-person.ts";
import { formOf } from "./forms.ts";
import { pageOfForm, VISITOR_FIELD } from "./kept-form.ts";

/** For pages and their forms. The token is in the body, so the hook runs after the body was read. */
export function protectPages(app: FastifyInstance, limits: RateLimits): void {
  app.addHook("preHandler", async (request, reply) => {
    try {
      await admit(request, reply, limits);
    } catch (error) {
      if (!(error instanceof AppError) || !changesSomething(request)) throw error;
      if (error.code === "not_signed_in") return leadBack(request, reply);
      throw error.code === "request_forged" ? keptOf(error, request, reply) : error;
    }
    return undefined;
  });
}

/** Leads a person whose session had ended to sign-in and back to the page, with the typed form if the page restores it. */
async function leadBack(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const next = pageOfForm(request);
  const { cookies, keptForms } = request.server.sessions;
  // Without a page to return to, there is nothing to continue.
  let ended = next === "" ? {} : { ended: "yes" };
  if (request.routeOptions.config.keepsForm && next !== "") {
    const account = (await cookies.read(request.headers.cookie))?.accountId ?? null;
    const isVisitors = formOf(request).get(VISITOR_FIELD) !== "";
    if (keptForms.keep(request, reply, { path: next, account }))
      ended = { ended: isVisitors ? "visitor" : "kept" };
  }
  return reply
    .header("cache-control", "no-store")
    .redirect(`/sign-in?${new URLSearchParams({ next, ...ended }).toString()}`, 303);
}

/** The error for a page of an earlier sign-in: what was typed there is kept for the person who is signed in now, but not sent. */
function keptOf(error: AppError, request: FastifyRequest, reply: FastifyReply): AppError {
  const path = pageOfForm(request);
  const form = formOf(request).with([[VISITOR_FIELD, ""]]);
  const { accountId: account } = request.person;
  const isKept =
    request.routeOptions.config.keepsForm &&
    path !== "" &&
    request.server.sessions.keptForms.keep(request, reply, { path, account, form });
  if (!isKept) return error;
  const message = "It belongs to an earlier sign-in, so nothing was sent. What you typed is kept.";
  return new AppError("request_forged", { message });
}

/** For routes that scripts of our pages call with JSON. Everything is checked before a body is read. */
export function protectJsonRoutes(app: FastifyInstance, limits: RateLimits): void {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, envelope: true };
  });
  app.addHook("onRequest", (request, reply) => admit(request, reply, limits));
}

/** Sets `request.person`. Throws not_signed_in, account_suspended, request_forged, rate_limited. */
async function admit(request: FastifyRequest, reply: FastifyReply, limits: RateLimits): Promise<void> {
  const person = await admitPerson(request, reply);
  if (!changesSomething(request)) return;
  checkCsrf(request, person.sessionId);
  const decision = await limits.count("account", person.accountId);
  limits.enforce(decision, reply);
}

/**
 * For a form that grants lasting access to the account or ends it, if the session is too old: keeps the form and leads through sign-in back
 * to it.
 */
export function signInForForm(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pageOfForm(request);
  request.server.sessions.keptForms.keep(request, reply, { path, account: request.person.accountId });
  return reply.redirect(signInAgain(path), 303);
}

/** The sign-in address for persons who must sign in again, returning to `next`. */
export function signInAgain(next: string): string {
  return `/sign-in?${new URLSearchParams({ again: "1", next }).toString()}`;
}
