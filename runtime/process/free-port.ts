// Loopback ports: finds a free one, and says in one line which setting to change when one is in use.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { StartupError } from "./startup-error.ts";

/**
 * The range in which free ports are searched. It is below the ephemeral ports (Linux from 32,768, others from 49,152), so that no outgoing
 * connection takes one before its caller listens, and above those that browsers and `fetch` refuse (Fetch standard, "port blocking").
 */
const FIRST_PORT = 10_081;
const PORTS_END = 32_768;
const TRIES = 100;
const TURN_TRIES = 150;
const TURN_POLL_MS = 20;

/**
 * Returns a port that nothing listens on at this moment. It is chosen at random, so that two callers at the same time are unlikely to get
 * the same one.
 */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await tryListen(randomInt(FIRST_PORT, PORTS_END), host);
    if (port !== undefined) return port;
  }
  throw new StartupError(`No free port could be had on ${host}.`);
}

/** Throws StartupError if `port` is in use on `host`. Port 0 always passes, because the system then picks a free one. */
export async function assertPortFree(
  port: number,
  host: string,
  what: string,
  variable: string,
): Promise<void> {
  if (port !== 0 && (await tryListen(port, host)) === undefined) throw isTaken(port, what, variable);
}

/**
 * Opens sockets of Linux that share their port, or throws StartupError if the port is in use. The system refuses no other process of the
 * same user that shares it too. So only one process at a time may look whether the port is free and open it.
 */
export async function openShared<Opened>(
  { port, host, what, variable }: { port: number; host: string; what: string; variable: string },
  open: () => Promise<Opened>,
): Promise<Opened> {
  if (port === 0) return open();
  const turn = await takeTurn(port);
  try {
    await assertPortFree(port, host, what, variable);
    return await open();
  } catch (error) {
    throw isInUse(error) ? isTaken(port, what, variable) : error;
  } finally {
    turn?.close();
  }
}

/** Services of the port at other addresses take turns too. After some seconds no one is waited for: the one before may be frozen. */
async function takeTurn(port: number): Promise<Server | undefined> {
  for (let tries = 0; tries < TURN_TRIES; tries++) {
    // A name without a file, which ends with its process and is as local as the port is.
    const turn = createServer().listen({ path: `\0atelier-port-${port}` });
    try {
      await once(turn, "listening");
      return turn;
    } catch (error) {
      if (!isInUse(error)) throw error;
      await delay(TURN_POLL_MS);
    }
  }
  return undefined;
}

function isTaken(port: number, what: string, variable: string): StartupError {
  return new StartupError(
    `Port ${port} (${what}) is taken by another process. Stop it, or set ${variable} to another port.`,
  );
}

/** Returns the port that could be opened, or undefined if it is in use. */
async function tryListen(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  try {
    await once(server, "listening");
  } catch (error) {
    if (isInUse(error)) return undefined;
    throw error;
  }
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : undefined;
}

function isInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EADDRINUSE";
}
