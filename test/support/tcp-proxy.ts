// A proxy whose connections a test can cut and restore. While it is cut, connections are refused, and open ones are closed. Frozen, it
// keeps its connections and carries nothing, like a hanging host. Stranded connections are half open: they stay silent, while new ones
// work.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

export type TcpProxy = {
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** The server receives everything, and its responses wait until the returned function is called. */
  holdAnswers(): () => void;
  /** Current connections hang permanently. */
  strand(): void;
};

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const stranded = new Set<Socket>();
  let isFrozen = false;
  let held = Promise.resolve();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    const forget = () => void (sockets.delete(socket) || stranded.delete(socket));
    socket.on("close", forget).on("error", () => {});
  };
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const socket of [client, target]) keep(socket);
    const answers = new Transform({
      transform: (chunk, _encoding, done) => void held.then(() => done(null, chunk)),
    });
    client.pipe(target).pipe(answers).pipe(client);
    if (isFrozen) for (const socket of [client, target]) socket.pause();
    client.on("close", () => target.destroy());
    target.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mend: async () => {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    cut: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of [...sockets, ...stranded]) socket.destroy();
      await closed;
    },
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    strand: () => {
      for (const socket of sockets) {
        socket.pause();
        sockets.delete(socket);
        stranded.add(socket);
      }
    },
    holdAnswers: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
