// Everything an account stores about its owner, as a file to download.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CoreClient } from "../../../proto/client.ts";
import type { RateLimits } from "../../../edge/http/rate-limit.ts";
import { clientGone } from "../../../edge/http/client-gone.ts";
import { personCall } from "../session/current-person.ts";

/** Streams the export from core at the speed of the client. Throws rate_limited. */
export async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, limits }: { core: CoreClient; limits: RateLimits },
): Promise<FastifyReply> {
  const decision = await limits.count("export", request.person.accountId);
  reply.headers(decision.headers);
  limits.enforce(decision);
  const call = { ...personCall(request), signal: clientGone(reply) };
  const parts = core.accounts.ExportAccount({}, call)[Symbol.asyncIterator]();
  // Errors are thrown before the response begins.
  const first = await parts.next();
  const day = new Date().toISOString().slice(0, 10);
  return reply
    .type("application/json; charset=utf-8")
    .header("content-disposition", `attachment; filename="atelier-${day}.json"`)
    .send(Readable.from(inOrder(first, parts), { objectMode: false }));
}

async function* inOrder(
  first: IteratorResult<{ json: Uint8Array }>,
  rest: AsyncIterator<{ json: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  for (let part = first; part.done !== true; part = await rest.next()) yield part.value.json;
}
