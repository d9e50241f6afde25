// POST /sign-out: ends the session in core, then lets the browser forget it.
import type { FastifyInstance } from "fastify";
import type { GatewayOptions } from "../../gateway.ts";
import { personCall } from "./current-person.ts";
import { requireFormSender } from "./protect.ts";

export function signOutRoute(app: FastifyInstance, { core, config, limits }: GatewayOptions): void {
  app.post("/sign-out", async (request, reply) => {
    const person = await requireFormSender(request, reply, limits);
    const { cookies } = app.sessions;
    if (person.issuedElsewhere) {
      // Not ours to end; but here nobody is signed in any more.
      reply.header("set-cookie", `${config.sessionCookie}=; Path=/; Max-Age=0`);
    } else {
      await core.sessions.RevokeSession({ session_id: person.sessionId }, personCall(person, request));
      reply.header("set-cookie", cookies.clear);
    }
    return reply.redirect("/", 303);
  });
}
