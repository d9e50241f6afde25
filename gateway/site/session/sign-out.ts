// POST /sign-out: ends the session in core, then removes it from the browser.
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Config } from "../../../runtime/config/config.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { type Person, personCall } from "./current-person.ts";

export function signOutRoute(app: FastifyInstance, { core, config }: GatewayOptions): void {
  app.post("/sign-out", async (request, reply) => {
    const { person } = request;
    // Only the other system can end a session that it issued, but the person is signed out here.
    if (!person.issuedElsewhere)
      await core.sessions.RevokeSession({ session_id: person.sessionId }, personCall(request));
    forgetSession(reply, person, config);
    return reply.redirect("/", 303);
  });
}

/**
 * Removes the session cookie and cached private pages from the browser. Clearing "cookies" would sign out of all sites of the domain, and
 * clearing "storage" would lose the last verified ledger entry.
 */
export function forgetSession(
  reply: FastifyReply,
  { issuedElsewhere }: Person,
  { sessionCookie }: Config,
): void {
  reply.header("clear-site-data", '"cache"');
  reply.header(
    "set-cookie",
    issuedElsewhere ? `${sessionCookie}=; Path=/; Max-Age=0` : reply.server.sessions.cookies.clear,
  );
}
