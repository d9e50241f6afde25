// POST /sign-out: ends the session in core, then lets the browser forget it.
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Config } from "../../../runtime/config/config.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { type Person, personCall } from "./current-person.ts";

export function signOutRoute(app: FastifyInstance, { core, config }: GatewayOptions): void {
  app.post("/sign-out", async (request, reply) => {
    const { person } = request;
    // One that was issued elsewhere is not ours to end; but here no one is signed in any more.
    if (!person.issuedElsewhere)
      await core.sessions.RevokeSession({ session_id: person.sessionId }, personCall(request));
    forgetSession(reply, person, config);
    return reply.redirect("/", 303);
  });
}

/**
 * Takes from the browser the cookie that the person came with, and copies of the person's pages. "cookies" would sign out of every
 * neighbouring site of the domain, and "storage" would lose which ledger this browser has verified.
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
