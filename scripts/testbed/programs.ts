// Which of the programs that compose.yaml runs beside ours are on this machine.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { loadConfig } from "../../runtime/config/config.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { findRedis } from "../../test/support/find-redis.ts";

const run = promisify(execFile);

/** Names or paths. What is not there is undefined. */
export type Programs = {
  readonly mongod: string;
  readonly redis: string | undefined;
  /** SeaweedFS, as compose.yaml has it. */
  readonly weed: string | undefined;
  /** Another small store that speaks S3, where there is no weed. */
  readonly versitygw: string | undefined;
  readonly caddy: string | undefined;
  readonly prometheus: string | undefined;
};

/** `without` names some that are not to be used. Throws StartupError where there is no mongod and none can be had. */
export async function findPrograms(
  say: (line: string) => void,
  without: readonly string[] = [],
): Promise<Programs> {
  const there = (name: string, ask: string) => (without.includes(name) ? undefined : answering(name, ask));
  const [mongod, redis, weed, versitygw, caddy, prometheus] = await Promise.all([
    findMongod({ path: loadConfig().mongodPath, say }),
    without.includes("redis") ? undefined : findRedis().catch(() => undefined),
    there("weed", "version"),
    there("versitygw", "--version"),
    there("caddy", "version"),
    there("prometheus", "--version"),
  ]);
  return { mongod, redis, weed, versitygw, caddy, prometheus };
}

async function answering(name: string, ask: string): Promise<string | undefined> {
  try {
    await run(name, [ask]);
    return name;
  } catch {
    return undefined;
  }
}
