// A core and a gateway over a demonstration catalog of some size, in separate processes, and handmade requests.
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../core/entry/migrate.ts";
import { THREAD_FROM } from "../../core/shop/catalog/build-index.ts";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { type Role, settingsOf, startRole } from "./role.ts";
import { type BenchMongod, openBenchApp, startBenchMongod } from "./world.ts";

const DATABASE = "catalog";
const SNAPSHOT_BOUND_MS = 120_000;

/** From the start of core's process until it is ready, with the highest memory until then. */
export type Start = { readonly seconds: number; readonly megabytes: number };

export type CatalogFixture = {
  /** The gateway's. */
  port: number;
  core: Role;
  gateway: Role;
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
  const settings = await settingsOf({ uri: mongod.uri, name: DATABASE }, folder);
  const { port } = settings;
  const env = { ...settings.env, ATELIER_RATE_LIMITS: "off" };
  const first = await startCore(env);
  const second = products < THREAD_FROM ? undefined : await startAgain(first.core, mongod.uri, env);
  const { core } = second ?? first;
  const { role: gateway } = await startRole("gateway", env);
  await waitFor("the catalog", async () => (await get(port, "/api/catalog", {})).status === 200);
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
      await mongod.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type StartedCore = { readonly core: Role; readonly start: Start };

async function startCore(env: Record<string, string>): Promise<StartedCore> {
  const startedMs = performance.now();
  const { role: core, peakMegabytes: megabytes } = await startRole("core", env);
  return { core, start: { seconds: (performance.now() - startedMs) / 1000, megabytes } };
}

/** Once the first one has stored its index. */
async function startAgain(first: Role, uri: string, env: Record<string, string>): Promise<StartedCore> {
  const { app, close } = await openBenchApp(uri, DATABASE);
  await waitFor(
    "the snapshot",
    () => app.mongo.db.collection("catalog_snapshots").findOne({}),
    SNAPSHOT_BOUND_MS,
  );
  await close();
  await first.stop();
  return startCore(env);
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
