// A way to a server that can be made bad without being cut: it goes silent with its connections open, or becomes slow.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** By which links tell the connections of cores from those of members and workers. */
export const CORE_NAME = "faults-core";

export type Link = {
  readonly port: number;
  /** Connections whose first bytes name `who` (all, without it) carry nothing any more, nor do new ones. */
  blackHole(who?: string): void;
  /** Connections that are there carry nothing any more; new ones work. */
  halfOpen(who?: string): void;
  /** Every piece of data takes so much longer, either way. */
  delay(ms: number, who?: string): void;
  /** Ends it: what a black hole held back arrives, and connections that went silent for good are cut. */
  mend(): void;
  /** How many connections that name `who` are open. */
  count(who?: string): number;
  close(): void;
};

type Connection = { client: Socket; target: Socket; firstBytes: Buffer; isDead: boolean };
type Rules = {
  isHeld: (one: Connection) => boolean;
  delayMs: (one: Connection) => number;
  apply: () => void;
};
type Fault = { kind: "none" } | { kind: "hole"; who: string } | { kind: "delay"; who: string; ms: number };

export async function startLink(targetPort: number, targetHost = "127.0.0.1"): Promise<Link> {
  const connections = new Set<Connection>();
  let fault: Fault = { kind: "none" };
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

  const rules: Rules = { isHeld, delayMs, apply };
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
  return {
    port: (server.address() as AddressInfo).port,
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
    mend: () => {
      fault = { kind: "none" };
      apply();
      for (const one of connections) cutIfLost(one);
    },
    count: (who = "") =>
      [...connections].filter((one) => !one.isDead && !one.client.destroyed && names(one, who)).length,
    close: () => {
      server.close();
      for (const { client, target } of connections) {
        client.destroy();
        target.destroy();
      }
    },
  };
}

/** A connection that went silent permanently, or of which one side has gone while it was held. */
function cutIfLost({ client, target, isDead }: Connection): void {
  if (isDead || client.destroyed) target.destroy();
  if (isDead || target.destroyed) client.destroy();
}

/** Carries data from one side to the other, as the fault of the moment has it. */
function pump(
  one: Connection,
  [from, to]: readonly [from: Socket, to: Socket],
  { isHeld, delayMs, apply }: Rules,
): void {
  let lastAtMs = 0;
  const later = (work: () => void): void => {
    const nowMs = performance.now();
    // Never before what was sent earlier.
    lastAtMs = Math.max(lastAtMs, nowMs + delayMs(one));
    if (lastAtMs <= nowMs) work();
    else setTimeout(work, lastAtMs - nowMs);
  };
  from.on("data", (chunk: Buffer) => {
    if (from === one.client && one.firstBytes.length === 0) {
      one.firstBytes = chunk;
      if (isHeld(one)) apply();
    }
    later(() => to.write(chunk));
  });
  from.on("error", () => {});
  from.on("close", () => {
    // Who is behind a hole does not hear that the other side has gone.
    if (!isHeld(one)) later(() => to.destroy());
  });
}
