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

/** The routes to serve, once; then returns its processor time so far. */
export type BareQuestion = readonly BareRoute[] | "use";
export type BareReply = { port: number; cpuSeconds: number };

const server = fastify();
let port = 0;
answerParent<BareQuestion, BareReply>(
  "ready",
  async (routes) => {
    if (routes === "use") return { port, cpuSeconds: cpuSeconds() };
    for (const { path, status, headers, body } of routes) {
      const bytes = Buffer.from(body, "base64");
      server.get(path, (_request, reply) => {
        reply.code(status).headers(headers);
        return status === 304 ? reply.send() : reply.send(bytes);
      });
    }
    port = Number(new URL(await server.listen({ host: "127.0.0.1", port: 0 })).port);
    return { port, cpuSeconds: cpuSeconds() };
  },
  () => server.close(),
);

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
