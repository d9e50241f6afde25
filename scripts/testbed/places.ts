// Where a soak takes place: `npm start` with everything in one process, or each role in processes of its own, as `npm run cluster` has them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenedApp } from "../../core/entry/start.ts";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { processesWith, startService } from "../../test/support/service.ts";
import { startCluster } from "./cluster.ts";
import { findPrograms } from "./programs.ts";
import { loadCode } from "./release.ts";
import { seedCluster, trust, TRY_SETTINGS } from "./try.ts";
import { withApp, withData } from "./with-app.ts";

export type Place = {
  readonly url: string;
  /** Memory that is resident now, MiB, of each part. Linux only. */
  held(): Readonly<Record<string, number>>;
  /** With core's own code on its database, for what has no address outside. */
  withApp<T>(work: (app: OpenedApp["app"]) => Promise<T>): Promise<T>;
  end(): Promise<void>;
};

/** All clients come from one address. */
const QUIET_LIMITS = { ATELIER_RATE_LIMITS: "off" };
/** Of a cluster, what serves and what stores; of several processes, the one that holds most. */
const PARTS = ["core", "worker", "gateway", "mcp", "mongo"];

export async function openWholeService(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-soak-"));
  const httpPort = await freePort();
  const service = await startService({
    ...QUIET_LIMITS,
    ATELIER_DATA_DIR: folder,
    ATELIER_HTTP_PORT: String(httpPort),
    ATELIER_LOG_LEVEL: "warn",
  });
  return {
    url: `http://127.0.0.1:${httpPort}`,
    // The database has its folder in its command line, as has what ends it with the service.
    held: () => ({
      service: residentMib(service.child.pid),
      mongod: processesWith(folder).reduce((sum, pid) => sum + residentMib(pid), 0),
    }),
    withApp: async (work) => {
      const MONGODB_URI = readFileSync(join(folder, "mongo.uri"), "utf8").trim();
      const code = await loadCode();
      return withData(
        code.loadConfig({ MONGODB_URI, ATELIER_DATA_DIR: folder }),
        ({ app }) => work(app),
        code,
      );
    },
    end: async () => {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function openCluster(): Promise<Place> {
  const say = (line: string) => console.error(line);
  mkdirSync(CACHE_DIR, { recursive: true });
  const folder = mkdtempSync(join(CACHE_DIR, "cluster-"));
  const programs = await findPrograms(say, []);
  const cluster = await startCluster({ programs, folder, port: 0, say, settings: TRY_SETTINGS });
  const end = async () => {
    await cluster.end();
    rmSync(folder, { recursive: true, force: true });
  };
  trust(cluster);
  await seedCluster(cluster).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return {
    url: cluster.url,
    held: () =>
      Object.fromEntries(
        PARTS.map((part) => [
          part,
          Math.max(...cluster.of(part).map(({ process }) => residentMib(process.pid))),
        ]),
      ),
    withApp: (work) => withApp(cluster, ({ app }) => work(app)),
    end,
  };
}

function residentMib(pid: number | undefined): number {
  const [, kib = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 1024);
}
