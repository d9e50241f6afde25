// A real Redis of a test's own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";
import { findRedis } from "./find-redis.ts";

export type OwnRedis = {
  port: number;
  url: string;
};

/** Ends with the test; keeps nothing on disk. `password` is asked of everybody who connects. */
export async function startOwnRedis(
  wanted: { port?: number; password?: string; maxMemoryBytes?: number } = {},
): Promise<OwnRedis> {
  const binary = await findRedis();
  const port = wanted.port ?? (await freePort());
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  if (wanted.password !== undefined) options.push("--requirepass", wanted.password);
  if (wanted.maxMemoryBytes !== undefined) options.push("--maxmemory", String(wanted.maxMemoryBytes));
  const child = spawn(binary, options, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (text: Buffer) => {
      said += text.toString();
      if (said.includes("Ready to accept connections")) resolve();
    });
    ended.then(() => reject(new Error(`redis-server ended at its start: ${said}`)), reject);
  });
  return { port, url: `redis://127.0.0.1:${port}` };
}
