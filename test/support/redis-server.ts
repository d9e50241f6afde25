// A redis-server on loopback, started until it accepts connections.
import { startProcess } from "../../scripts/testbed/processes.ts";

export type RedisServer = {
  /** With this signal; resolves when it has ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
};

/** Stores no snapshots; `options` are command line options. Rejects with its output if it ends before it is ready. */
export async function startRedisServer(
  binary: string,
  port: number,
  options: readonly string[],
): Promise<RedisServer> {
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", ...options];
  const { stdout, until, signal, ended } = startProcess("redis-server", binary, args);
  await until("Redis to be ready", () => stdout().includes("Ready to accept connections"));
  return {
    stop: async (name) => {
      await signal(name);
      await ended;
    },
  };
}
