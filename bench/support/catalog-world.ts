// A core and a gateway over a demonstration catalog of some size, in separate processes, and handmade requests.
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../core/entry/migrate.ts";
import { THREAD_FROM } from "../../core/shop/catalog/build-index.ts";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import { createProcesses, type ServiceProcess, useOf } from "../../scripts/testbed/processes.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { settingsOf, startRole } from "./place.ts";
import { type BenchMongod, openBenchApp, startBenchMongod } from "./world.ts";

const DATABASE = "catalog";
const SNAPSHOT_BOUND_MS = 120_000;

/** From the start of core's process until it is ready, with the highest memory until then. */
export type Start = { readonly seconds: number; readonly megabytes: number };

export type CatalogFixture = {
  /** The gateway's. */
  port: number;
  core: ServiceProcess;
  gateway: ServiceProcess;
  seedSeconds: number;
  /** Of a core that builds the index from the products. */
  built: Start;
  /** Of the next core, which opens the snapshot of a large catalog; undefined for a small one, which has none. */
  opened: Start | undefined;
  close(): Promise<void>;
};

export async function openCatalogFixture(products: number): Promise<CatalogFixture> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-catalog-"));
  const mongod: BenchMongod = await startBenchMongod();
  const seedSeconds = await timed(() => seed(mongod.uri, products));
  const { port, env: own } = await settingsOf(folder);
  const database = { MONGODB_URI: mongod.uri, ATELIER_MONGO_DATABASE: DATABASE };
  const env = { ...own, ...database, ATELIER_RATE_LIMITS: "off" };
  const processes = createProcesses();
  const startCore = async () => {
    const startedMs = performance.now();
    const core = await startRole(processes, "core", env);
    const start = {
      seconds: (performance.now() - startedMs) / 1000,
      megabytes: useOf(core.pid).peakMegabytes,
    };
    return { core, start };
  };
  const first = await startCore();
  const hasSnapshot = products >= THREAD_FROM;
  if (hasSnapshot) {
    await untilStored(mongod.uri);
    await first.core.stop();
  }
  const second = hasSnapshot ? await startCore() : undefined;
  const gateway = await startRole(processes, "gateway", env);
  await waitFor("the catalog", async () => (await get(port, "/api/catalog", {})).status === 200);
  const { core } = second ?? first;
  return {
    port,
    core,
    gateway,
    seedSeconds,
    built: first.start,
    opened: second?.start,
    close: async () => {
      await gateway.stop();
      await core.stop();
      await processes.end();
      await mongod.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a core has stored its index. */
async function untilStored(uri: string): Promise<void> {
  const { app, close } = await openBenchApp(uri, DATABASE);
  const find = () => app.mongo.db.collection("catalog_snapshots").findOne({});
  await waitFor("the snapshot", find, SNAPSHOT_BOUND_MS);
  await close();
}

async function seed(uri: string, products: number): Promise<void> {
  const { app, close } = await openBenchApp(uri, DATABASE, { ATELIER_DEMO_PRODUCTS: String(products) });
  await migrate(app);
  await seedDemoCatalog(app);
  await close();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

export type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** Bytes as they are on the wire. */
export function get(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(parts),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}
