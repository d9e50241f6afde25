import { onTestFinished } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";
import { findRedis } from "./find-redis.ts";
import { startRedisServer } from "./redis-server.ts";

export type OwnRedis = {
  port: number;
  url: string;
};

/** A separate Redis that ends with the test and stores nothing. Clients need `password` when it is given. */
export async function startOwnRedis(
  wanted: { port?: number; password?: string; maxMemoryBytes?: number } = {},
): Promise<OwnRedis> {
  const binary = await findRedis();
  const port = wanted.port ?? (await freePort());
  const options = ["--appendonly", "no"];
  if (wanted.password !== undefined) options.push("--requirepass", wanted.password);
  if (wanted.maxMemoryBytes !== undefined) options.push("--maxmemory", String(wanted.maxMemoryBytes));
  const server = await startRedisServer(binary, port, options);
  onTestFinished(() => server.stop("SIGKILL"));
  return { port, url: `redis://127.0.0.1:${port}` };
}
