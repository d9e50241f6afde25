// What is a person's own: who asks is settled by one hook, before any route. A change must come from a page of this site, and counts for the
// rate of the account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../proto/codes.ts";
import type { RateLimits } from "../../../edge/http/rate-limit.ts";
import { changesSomething, checkCsrf } from "./csrf.ts";
import { admitPerson } from "./current-person.ts";
import { formOf } from "./forms.ts";
import { pageOfForm, VISITOR_FIELD } from "./kept-form.ts";

/** Routes of this scope are pages and their forms. The token of a form is in its body, so this comes after that was read. */
export function protectPages(app: FastifyInstance, limits: RateLimits): void {
  app.addHook("preHandler", async (request, reply) => {
    try {
      await admit(request, reply, limits);
    } catch (error) {
      const isSignedOut = error instanceof AppError && error.code === "not_signed_in";
      if (!isSignedOut || !changesSomething(request)) throw error;
      return leadBack(request, reply);
    }
    return undefined;
  });
}

/** Whoever sent a form after the session had ended signs in and comes back to its page, with what was typed where the page takes it. */
async function leadBack(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const next = pageOfForm(request);
  const { cookies, keptForms } = request.server.sessions;
  // Without a page to come back to there is nothing to go on with.
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

/** Routes of this scope speak JSON with scripts of our own pages. Everything is checked before a body is read. */
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
  reply.headers(decision.headers);
  limits.enforce(decision);
}

/** For a form that gives lasting power over the account, or ends it, where the session is too old for that: keeps what was typed, and leads to sign in and back to the form. */
export function signInForForm(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pageOfForm(request);
  request.server.sessions.keptForms.keep(request, reply, { path, account: request.person.accountId });
  return reply.redirect(signInAgain(path), 303);
}

/** Where a page sends whoever must sign in again, to come back to `next`. */
export function signInAgain(next: string): string {
  return `/sign-in?${new URLSearchParams({ again: "1", next }).toString()}`;
}
