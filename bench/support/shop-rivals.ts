// TM Dev Lab's measurement (MCP Server Performance Benchmark v2), its tools and its load, on this machine: MCP servers of the Go SDK, rmcp
// and FastMCP, built into the project's cache, and those in node. Each is one process; only the service's checks a key and counts a rate.
import { execFile } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { CACHE_DIR, intoCache } from "../../runtime/mongod/binary-cache.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { startProcess } from "../../scripts/testbed/processes.ts";
import { findRedis } from "../../test/support/find-redis.ts";
import { startRedisServer } from "../../test/support/redis-server.ts";
import { startChild } from "./child.ts";
import type { Shop } from "./mcp-server-process.ts";

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL("../rivals/", import.meta.url));
/** Named by its contents: another version of a rival gets another folder. */
const CACHE_FOLDER = "mcp-rivals-1";
const USERS = 50;
const POPULAR = 100;

export type ShopServer = {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
};
export type OpenShop = Shop & { close(): Promise<void> };

/** The data of all servers, for the load's users. */
export async function openShop(): Promise<OpenShop> {
  const redisPort = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-shop-"));
  const server = await startRedisServer(await findRedis(), redisPort, ["--dir", folder]);
  const redis = new Redis({ port: redisPort });
  for (let user = 0; user < USERS; user++) {
    await redis.hset(`bench:cart:user-${user}`, "items", JSON.stringify([{ product_id: user, quantity: 1 }]));
    await redis.rpush(`bench:history:user-${user}`, ..."12345");
  }
  for (let id = 0; id < POPULAR; id++) await redis.zincrby("bench:popular", id, `product:${id}`);
  await redis.quit();
  const child = await startChild<string, number>("shop-api-process.ts");
  return {
    apiPort: await child.ask("port"),
    redisPort,
    close: async () => {
      await child.stop();
      await server.stop("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Rival = {
  name: string;
  folder: string;
  build(work: string, whole: string): Promise<unknown>;
  command: string[];
};

const RIVALS: readonly Rival[] = [
  {
    name: "Go SDK 1.8",
    folder: "go",
    build: (work, whole) => run("go", ["build", "-o", join(whole, "server"), "."], { cwd: work }),
    command: ["server"],
  },
  {
    name: "rmcp 3.11 (Rust)",
    folder: "rust",
    build: async (work, whole) => {
      await run("cargo", ["build", "--release", "--locked"], { cwd: work, maxBuffer: 2 ** 26 });
      copyFileSync(join(work, "target/release/rival"), join(whole, "server"));
    },
    command: ["server"],
  },
  {
    name: "FastMCP 4.1 (Python)",
    folder: "python",
    build: async (work, whole) => {
      await run("python3", ["-m", "venv", "--copies", join(whole, "venv")]);
      const requirements = join(work, "requirements.txt");
      await run(join(whole, "venv/bin/python"), ["-m", "pip", "install", "-q", "-r", requirements]);
      copyFileSync(join(work, "server.py"), join(whole, "server.py"));
    },
    command: ["venv/bin/python", "server.py"],
  },
];

/** A server that cannot be built here is left out, with a printed reason. */
export async function startShopRivals(shop: Shop): Promise<ShopServer[]> {
  const started: ShopServer[] = [];
  for (const rival of RIVALS)
    try {
      started.push(await startRival(rival, shop));
    } catch (error) {
      console.log(`${rival.name} is left out: it cannot be built or started here (${String(error)})`);
    }
  return started;
}

async function startRival({ name, folder, build, command }: Rival, shop: Shop): Promise<ShopServer> {
  const cached = join(CACHE_DIR, CACHE_FOLDER, folder);
  if (!existsSync(cached)) {
    console.log(`Building ${name}; the Rust one takes some minutes`);
    await intoCache(join(CACHE_DIR, CACHE_FOLDER), folder, async (whole, work) => {
      cpSync(join(SOURCES, folder), work, { recursive: true });
      await build(work, whole);
    });
  }
  const port = await freePort();
  const [program = "", ...args] = command.map((part) => join(cached, part));
  const env = {
    PORT: String(port),
    API_PORT: String(shop.apiPort),
    REDIS_PORT: String(shop.redisPort),
  };
  const { pid, until, signal } = startProcess(name, program, args, { env });
  const stop = () => signal("SIGKILL");
  await until("its port", () => fetch(`http://127.0.0.1:${port}/mcp`), 30_000).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  return { name, port, pid, stop };
}

/** Its sequence of messages: a session for each tool and for the list. The initialization is not counted, as there. */
export function shopMessages(): object[] {
  const about = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  const greet = [{ id: 1, method: "initialize", params: about }, { method: "notifications/initialized" }];
  const asked = Array.from({ length: USERS }, (_, n) => {
    const user_id = `user-${n}`;
    const items = [42, 1337].map((product_id, i) => ({ product_id, quantity: 2 - i }));
    const search = { category: "Electronics", min_price: 50, max_price: 500, limit: 10 };
    const calls = [
      { name: "search_products", arguments: search },
      { name: "get_user_cart", arguments: { user_id } },
      { name: "checkout", arguments: { user_id, items } },
    ].map((params) => ({ id: 2, method: "tools/call", params }));
    return [...calls, { id: 2, method: "tools/list", params: {} }].flatMap((message) => [...greet, message]);
  });
  return asked.flat().map((message) => ({ jsonrpc: "2.0", ...message }));
}
