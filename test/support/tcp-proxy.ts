// A proxy to a server on this machine whose connections can be cut, or degrade without being cut: silent while open, half open, or slow.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A fault concerns the connections whose first bytes contain `who`; all of them without it. */
export type TcpProxy = {
  readonly port: number;
  /** Closes open connections and refuses new ones. */
  cut(): Promise<void>;
  /** Open connections carry nothing any more, nor do new ones, as with a host that hangs. */
  blackHole(who?: string): void;
  /** Open connections carry nothing any more; new ones work. */
  halfOpen(who?: string): void;
  /** All data take this much longer, in both directions. */
  delay(ms: number, who?: string): void;
  /** The server receives everything, and its responses wait until the returned function is called. */
  holdAnswers(): () => void;
  /** Ends the fault: new connections work, held data arrive, and permanently silent connections are cut. */
  restore(): Promise<void>;
  /** The number of open connections that contain `who`. */
  count(who?: string): number;
};

type Connection = { client: Socket; target: Socket; firstBytes: Buffer; isDead: boolean };
type Rules = {
  isHeld: (one: Connection) => boolean;
  delayMs: (one: Connection) => number;
  /** Responses wait for it. */
  answering: () => Promise<void> | undefined;
  apply: () => void;
};
type Fault = { kind: "none" } | { kind: "hole"; who: string } | { kind: "delay"; who: string; ms: number };

export async function startTcpProxy(targetPort: number, targetHost = "127.0.0.1"): Promise<TcpProxy> {
  const connections = new Set<Connection>();
  let fault: Fault = { kind: "none" };
  let answering: Promise<void> | undefined;
  const names = ({ firstBytes }: Connection, who: string) => who === "" || firstBytes.includes(who);
  const isHeld = (one: Connection) => one.isDead || (fault.kind === "hole" && names(one, fault.who));
  const delayMs = (one: Connection) => (fault.kind === "delay" && names(one, fault.who) ? fault.ms : 0);

  function apply(): void {
    for (const one of connections) {
      for (const socket of [one.client, one.target]) {
        if (isHeld(one)) socket.pause();
        else socket.resume();
      }
    }
  }

  const rules: Rules = { isHeld, delayMs, answering: () => answering, apply };
  const server = createServer((client) => {
    const one = {
      client,
      target: connect(targetPort, targetHost),
      firstBytes: Buffer.alloc(0),
      isDead: false,
    };
    connections.add(one);
    pump(one, [client, one.target], rules);
    pump(one, [one.target, client], rules);
    client.on("close", () => {
      if (one.target.destroyed) connections.delete(one);
    });
    one.target.on("close", () => {
      if (client.destroyed) connections.delete(one);
    });
    if (isHeld(one)) apply();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cut: async () => {
      const closed = once(server, "close");
      server.close();
      for (const { client, target } of connections) {
        client.destroy();
        target.destroy();
      }
      await closed;
    },
    blackHole: (who = "") => {
      fault = { kind: "hole", who };
      apply();
    },
    halfOpen: (who = "") => {
      for (const one of connections) if (names(one, who)) one.isDead = true;
      apply();
    },
    delay: (ms, who = "") => {
      fault = { kind: "delay", who, ms };
    },
    holdAnswers: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      answering = promise;
      return resolve;
    },
    restore: async () => {
      fault = { kind: "none" };
      apply();
      for (const one of connections) cutIfLost(one);
      if (server.listening) return;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    count: (who = "") =>
      [...connections].filter((one) => !one.isDead && !one.client.destroyed && names(one, who)).length,
  };
}

/** A connection that is permanently silent, or that one side has closed while it was held. */
function cutIfLost({ client, target, isDead }: Connection): void {
  if (isDead || client.destroyed) target.destroy();
  if (isDead || target.destroyed) client.destroy();
}

/** Carries data from one side to the other, as the current fault allows. */
function pump(
  one: Connection,
  [from, to]: readonly [from: Socket, to: Socket],
  { isHeld, delayMs, answering, apply }: Rules,
): void {
  let lastAtMs = 0;
  const later = (work: () => void): void => {
    const nowMs = performance.now();
    // Never before data that were sent earlier.
    lastAtMs = Math.max(lastAtMs, nowMs + delayMs(one));
    if (lastAtMs <= nowMs) work();
    else setTimeout(work, lastAtMs - nowMs);
  };
  from.on("data", (chunk: Buffer) => {
    if (from === one.client && one.firstBytes.length === 0) {
      one.firstBytes = chunk;
      if (isHeld(one)) apply();
    }
    const held = from === one.target ? answering() : undefined;
    if (held) void held.then(() => to.write(chunk));
    else later(() => to.write(chunk));
  });
  from.on("error", () => {});
  from.on("close", () => {
    // A side behind a black hole does not notice that the other has closed.
    if (!isHeld(one)) later(() => to.destroy());
  });
}
