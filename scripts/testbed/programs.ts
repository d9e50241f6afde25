// Finds the programs of compose.yaml's other services on this machine.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { loadConfig } from "../../runtime/config/config.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { findRedis } from "../../test/support/find-redis.ts";

const run = promisify(execFile);

/** Names or paths; undefined when missing. */
export type Programs = {
  readonly mongod: string;
  readonly redis: string | undefined;
  /** SeaweedFS, as in compose.yaml. */
  readonly weed: string | undefined;
  /** Another small S3 store, without weed. */
  readonly versitygw: string | undefined;
  readonly caddy: string | undefined;
  readonly prometheus: string | undefined;
};

/** `without` names programs to ignore. Throws StartupError when there is no mongod. */
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
