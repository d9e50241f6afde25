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
  /** A small S3 store. */
  readonly versitygw: string | undefined;
  readonly caddy: string | undefined;
};

/** `without` names programs to ignore. Throws StartupError when there is no mongod. */
export async function findPrograms(
  say: (line: string) => void,
  without: readonly string[] = [],
): Promise<Programs> {
  const there = (name: string, ask: string) => (without.includes(name) ? undefined : answering(name, ask));
  const [mongod, redis, versitygw, caddy] = await Promise.all([
    findMongod({ path: loadConfig().mongodPath, say }),
    without.includes("redis") ? undefined : findRedis().catch(() => undefined),
    there("versitygw", "--version"),
    there("caddy", "version"),
  ]);
  return { mongod, redis, versitygw, caddy };
}

async function answering(name: string, ask: string): Promise<string | undefined> {
  try {
    await run(name, [ask]);
    return name;
  } catch {
    return undefined;
  }
}
