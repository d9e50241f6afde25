// A proxy that adds a key to every request, for programs that cannot send one.
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";

export type KeyedProxy = {
  readonly origin: string;
  /** The target of requests from now on, and their key. The rest of a request is unchanged. */
  passTo(target: string, key: string): void;
  close(): Promise<void>;
};

export async function startKeyedProxy(): Promise<KeyedProxy> {
  let to = { target: new URL("http://127.0.0.1"), key: "" };
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${to.key}` };
    const { method, url: path } = incoming;
    const { hostname, port } = to.target;
    const sent = forward({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    passTo(target, key) {
      to = { target: new URL(target), key };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
