// A webhook endpoint on loopback with configurable responses, which records its requests.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export type Received = { headers: Record<string, string>; body: Buffer; path: string };

export type Receiver = {
  url: string;
  port: number;
  received: Received[];
  /** The highest number of requests that waited for a response in parallel. */
  mostAtOnce(): number;
  connections(): number;
  close(): Promise<void>;
};

export type Answer = (response: ServerResponse, number: number, request: IncomingMessage) => void;

export const answerWith =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end();

/** An endpoint that is closed when the test ends. */
export async function receiver(answer?: Answer): Promise<Receiver> {
  const started = await startReceiver(answer);
  onTestFinished(() => started.close());
  return started;
}

/** Reads the whole request, then answers; by default 204. */
export async function startReceiver(answer: Answer = answerWith(204), host = "127.0.0.1"): Promise<Receiver> {
  const received: Received[] = [];
  let waiting = 0;
  let most = 0;
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      waiting += 1;
      most = Math.max(most, waiting);
      response.on("close", () => (waiting -= 1));
      received.push({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(parts),
        path: request.url ?? "",
      });
      answer(response, received.length, request);
    });
  };
  const listening = await listen(createServer(listener), host);
  return { ...listening, received, mostAtOnce: () => most };
}

/** A server below HTTP. */
export async function startTcpServer(
  onConnection: (socket: Socket) => void,
): Promise<Omit<Receiver, "received" | "mostAtOnce">> {
  return listen(createTcpServer(onConnection), "127.0.0.1");
}

async function listen(server: Server, host: string): Promise<Omit<Receiver, "received" | "mostAtOnce">> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}/hook`,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<unknown>((resolve) => server.close(resolve));
    },
  };
}
