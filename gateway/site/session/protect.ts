// What every change on the website goes through: a signed-in person, a page of this site, the rate of the account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RateLimits } from "../../../runtime/http/rate-limit.ts";
import { FORM_TYPE } from "./forms.ts";
import { checkCsrf } from "./csrf.ts";
import { AppError } from "../../../proto/codes.ts";
import { type Person, requirePerson } from "./current-person.ts";

/** The person who sent a form. Throws not_signed_in, account_suspended, request_forged, rate_limited. */
export async function requireFormSender(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): Promise<Person> {
  const person = await requirePerson(request, reply);
  checkCsrf(request, person);
  await countChange(person, reply, limits);
  return person;
}

/** For what gives lasting power over the account, or ends it: a cookie that was taken must not be enough. Throws sign_in_again. */
export function requireFresh(person: Person): void {
  if (!person.fresh) throw new AppError("sign_in_again");
}

/** Where a page sends whoever must sign in again, to come back to `next`. */
export function signInAgain(next: string): string {
  return `/sign-in?${new URLSearchParams({ again: "1", next }).toString()}`;
}

/** Routes of this scope speak JSON with scripts of our own pages. Everything is checked before a body is read. */
export function protectJsonRoutes(app: FastifyInstance, limits: RateLimits): void {
  // A form of another site can send itself; JSON with a header of ours it cannot.
  app.removeContentTypeParser(FORM_TYPE);
  app.addHook("onRequest", async (request, reply) => {
    const person = await requirePerson(request, reply);
    if (request.method === "GET" || request.method === "HEAD") return;
    checkCsrf(request, person);
    await countChange(person, reply, limits);
  });
}

async function countChange(person: Person, reply: FastifyReply, limits: RateLimits): Promise<void> {
  const decision = await limits.count("account", person.accountId);
  reply.headers(decision.headers);
  limits.enforce(decision);
}
