// Pages that are made for one request travel compressed; those that everybody may have are kept so (catalog/kept-answer.ts).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createEncodingChoice, encode, SMALLEST_FIRST } from "../../http/encoding.ts";

/**
 * A person's page holds the token of their session beside what its address says. Whoever watches the line and makes their browser ask for
 * chosen addresses could guess the token by how well both compress together. So only what a page of ours, or the person, asked for is
 * compressed: browsers say which that is, and no page of another site can make them say otherwise.
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
