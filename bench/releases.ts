// Two releases of this service side by side: what a client asks most, over the whole way, of this checkout and of another one, in
// alternating rounds. `npm run bench -- releases FOLDER`, where FOLDER is a checkout with its dependencies installed.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { MongoClient } from "mongodb";
import { freePort } from "../runtime/process/free-port.ts";
import { waitFor } from "../test/support/wait-for.ts";
import { type Child, startChild } from "./support/child.ts";
import type { LoadOrder, LoadResult } from "./support/http-load-process.ts";
import { type Load, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { type BenchMongod, printMachine, startBenchMongod } from "./support/world.ts";

const CALLERS = 32;
const ROUNDS = 7;
const ROUND_MS = 3_000;
const CREDITS = "100000000";
const DEMO_EMAIL = "demo@atelier.test";

type Release = { name: string; port: number; key: string; stop(): Promise<void> };
type Contest = { title: string; status: number; requests(release: Release): string[] };

const CONTESTS: readonly Contest[] = [
  { title: "generate", status: 202, requests: (release) => [generate(release)] },
  { title: "list 20 jobs", status: 200, requests: (release) => [get(release, "/api/jobs?limit=20")] },
  {
    title: "catalog, 100 pages",
    status: 200,
    requests: (release) =>
      Array.from({ length: 100 }, (_, n) => get(release, `/api/catalog?limit=20&price_min=${n}`)),
  },
  { title: "tools/call get_credits", status: 200, requests: (release) => [callTool(release)] },
];

export async function run(): Promise<void> {
  const other = process.argv[3];
  if (other === undefined) throw new Error("name the folder of the other checkout");
  printMachine();
  const mongod = await startBenchMongod();
  const releases: Release[] = [];
  try {
    for (const [name, folder] of [
      ["other", resolve(other)],
      ["this", resolve(import.meta.dirname, "..")],
    ] as const)
      releases.push(await startRelease(mongod, name, folder));
    const { child: loader } = await startChild<string, LoadOrder, LoadResult>("http-load-process.ts", {});
    const rows: string[][] = [];
    for (const contest of CONTESTS) rows.push(await compare(loader, contest, releases));
    await loader.stop();
    console.log(`${CALLERS} connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s each, medians`);
    printTable(["", "other/s", "this/s", "ratio", "other p50 ms", "this p50 ms"], rows);
  } finally {
    for (const release of releases) await release.stop();
    await mongod.stop();
  }
}

/** Alternating rounds; who begins changes too. The first round of each warms up and is not counted. */
async function compare(
  loader: Child<LoadOrder, LoadResult>,
  { title, status, requests }: Contest,
  releases: readonly Release[],
): Promise<string[]> {
  const loads = new Map<string, Load[]>(releases.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const release of round % 2 === 0 ? releases : releases.toReversed()) {
      const load = await loader.ask({
        port: release.port,
        connections: CALLERS,
        forMs: ROUND_MS,
        requests: requests(release),
        status,
      });
      if (load.error !== undefined) throw new Error(`${title}, ${release.name}: ${load.error}`);
      if (round > 0) loads.get(release.name)?.push(load);
    }
  }
  const [before, now] = releases.map(({ name }) => medianLoad(loads.get(name) ?? []));
  if (!before || !now) throw new Error("two releases are compared");
  return [
    title,
    rate(before.perSecond),
    rate(now.perSecond),
    (now.perSecond / before.perSecond).toFixed(2),
    ms(before.p50Ms),
    ms(now.p50Ms),
  ];
}

/** Core, gateway and tool endpoint of a checkout in one process, with the demonstration's account and catalog, and no worker. */
async function startRelease({ uri }: BenchMongod, name: string, folder: string): Promise<Release> {
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-bench-release-"));
  const [port, grpcPort, opsPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    MONGODB_URI: uri,
    ATELIER_MONGO_DATABASE: name,
    ATELIER_ROLES: "core,gateway,mcp",
    ATELIER_DATA_DIR: dataDir,
    ATELIER_HTTP_PORT: String(port),
    ATELIER_GRPC_PORT: String(grpcPort),
    ATELIER_CORE_ADDRESS: `127.0.0.1:${grpcPort}`,
    ATELIER_OPS_PORT: String(opsPort),
    ATELIER_RATE_LIMITS: "off",
    ATELIER_LOG_LEVEL: "error",
  };
  const child = spawn(process.execPath, ["scripts/start.ts"], { cwd: folder, env, stdio: "ignore" });
  const ended = once(child, "exit");
  const isReady = () =>
    fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(`the ${name} release`, isReady, 120_000);
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Record<string, string>;
  await liftQueueLimit(uri, name);
  const grant = ["credits", "grant", DEMO_EMAIL, CREDITS, "--reason", "a measurement"];
  await promisify(execFile)(process.execPath, ["cli/atelier.ts", ...grant], { cwd: folder, env });
  return {
    name,
    port,
    key: demo["generation_key"] ?? "",
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Jobs wait here, since nobody runs them; without this a few hundred would fill the account's queue. */
async function liftQueueLimit(uri: string, database: string): Promise<void> {
  const client = await MongoClient.connect(uri);
  await client
    .db(database)
    .collection("plans")
    .updateMany({}, { $set: { concurrency: 1_000_000 } });
  await client.close();
}

function generate({ key }: Release): string {
  const body = { modality: "image", model_slug: "atelier-vector", prompt: "a lighthouse on a cliff at dusk" };
  return post("/api/v1/connect/generate", key, body, "");
}

function callTool({ key }: Release): string {
  const params = { name: "get_credits", arguments: {} };
  return post(
    "/api/mcp",
    key,
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    "accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\n",
  );
}

function get({ key }: Release, path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`;
}

function post(path: string, key: string, body: object, headers: string): string {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
