// A redis-server on loopback, started until it accepts connections.
import { spawn } from "node:child_process";
import { once } from "node:events";

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
  const child = spawn(binary, ["--port", String(port), "--bind", "127.0.0.1", "--save", "", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (text: Buffer) => {
      said += text.toString();
      if (said.includes("Ready to accept connections")) resolve();
    });
    ended.then(() => reject(new Error(`redis-server ended at its start: ${said}`)), reject);
  });
  return {
    stop: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
