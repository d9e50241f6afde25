// Compresses pages that are made for one request. Pages that caches may store are compressed once (catalog/kept-answer.ts).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createEncodingChoice, encode, SMALLEST_FIRST } from "../../http/encoding.ts";

/**
 * A page of a signed-in person contains the session's token beside text from its address. An attacker who observes the connection and makes
 * the browser request chosen addresses could derive the token from the compressed size (BREACH). So only requests from our own pages or
 * from the person are compressed: browsers report the origin of a request, and other sites cannot change that.
 */
const ASKED_FROM_HERE = ["same-origin", "none"];

export function compressPages(app: FastifyInstance): void {
  const chooseEncoding = createEncodingChoice(SMALLEST_FIRST);
  app.addHook("onSend", async (request, reply, payload) => {
    if (typeof payload !== "string" || !isAskedFromHere(request)) return payload;
    if (!String(reply.getHeader("content-type")).startsWith("text/html")) return payload;
    const encoding = chooseEncoding(request.headers["accept-encoding"]?.toString());
    const encoded = await encode(Buffer.from(payload), encoding);
    if (!encoded) return payload;
    reply.header("content-encoding", encoding);
    return encoded;
  });
}

function isAskedFromHere({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  return typeof site === "string" && ASKED_FROM_HERE.includes(site);
}
