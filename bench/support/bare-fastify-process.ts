// The rival of cached pages: fastify with routes that send prepared bytes.
import { fastify } from "fastify";
import { answerParent } from "./child.ts";

export type BareRoute = {
  path: string;
  status: number;
  headers: Record<string, string>;
  /** Base64. */
  body: string;
};

const server = fastify();
/** The routes to serve, once; returns the port. */
answerParent<readonly BareRoute[], number>(
  async (routes) => {
    for (const { path, status, headers, body } of routes) {
      const bytes = Buffer.from(body, "base64");
      server.get(path, (_request, reply) => {
        reply.code(status).headers(headers);
        return status === 304 ? reply.send() : reply.send(bytes);
      });
    }
    return Number(new URL(await server.listen({ host: "127.0.0.1", port: 0 })).port);
  },
  () => server.close(),
);
