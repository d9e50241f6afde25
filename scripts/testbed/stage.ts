// What the faults happen to: two cores, two workers and a gateway, each a process of its own, on a replica set of three, with a link in
// every way between them.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { createKey } from "../../core/identity/accounts/create-key.ts";
import { auditAccounts } from "../../core/operations/audit/audit-accounts.ts";
import type { App } from "../../core/kernel/app.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { migrate } from "../../core/entry/migrate.ts";
import { addModel } from "../../core/studio/models/add-model.ts";
import { openApp } from "../../core/entry/start.ts";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { type Link, startLink } from "./link.ts";
import { createProcesses, type SuiteProcess } from "./processes.ts";
import { type ReplicaSet, type SetOptions, startReplicaSet } from "./links-set.ts";

/** By which links tell the connections of cores from those of members and workers. */
export const CORE_NAME = "faults-core";
const ROLE_PROCESS = fileURLToPath(new URL("../../test/support/role-process.ts", import.meta.url));
const GATEWAY = fileURLToPath(new URL("../../gateway/main.ts", import.meta.url));
const DATABASE = "faults";
const UP_BOUND_MS = 60_000;
/** No account waits for a slot: what is measured is the service. */
const PLAN = "studio";

export type Core = { readonly port: number; readonly link: Link; process: SuiteProcess };

export type Stage = {
  readonly url: string;
  readonly set: ReplicaSet;
  readonly cores: readonly Core[];
  readonly workers: readonly SuiteProcess[];
  /** On the same database, for making accounts and for judging what became of their jobs. */
  readonly app: App;
  restartCore(core: Core): Promise<void>;
  /** Starts one in the place of this one. */
  restartWorker(worker: SuiteProcess): Promise<void>;
  createKeys(count: number): Promise<{ accountId: string; key: string }[]>;
  audit(): Promise<string[]>;
  end(): Promise<void>;
};

export async function openStage(
  setOptions: Pick<SetOptions, "settings" | "parameters"> = {},
): Promise<Stage> {
  const processes = createProcesses();
  // On a disk, where fsync is real: the system's folder for temporary files may be in memory.
  mkdirSync(CACHE_DIR, { recursive: true });
  const folder = mkdtempSync(join(CACHE_DIR, "faults-"));
  const undo: (() => unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
    () => processes.end(),
  ];
  const end = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const binary = await findMongod({ path: loadConfig().mongodPath, say: console.log });
    const set = await startReplicaSet(processes, { ...setOptions, binary, folder });
    undo.push(() => set.close());
    const app = await openSuiteApp(set, folder, undo);
    const common = {
      ATELIER_MONGO_DATABASE: DATABASE,
      ATELIER_DATA_DIR: folder,
      ATELIER_LOG_LEVEL: "warn",
      ATELIER_RATE_LIMITS: "off",
    };
    const startRole = async (role: string, env: Record<string, string>): Promise<SuiteProcess> => {
      const one = processes.start(role, process.execPath, [ROLE_PROCESS], {
        env: { ...common, ATELIER_ROLES: role, ...env },
      });
      await one.firstMessage;
      return one;
    };
    const startCore = (port: number) =>
      startRole("core", { MONGODB_URI: set.uri(CORE_NAME), ATELIER_GRPC_PORT: String(port) });
    const cores: Core[] = [];
    for (let n = 0; n < 2; n++) {
      const port = await freePort();
      const link = await startLink(port);
      undo.push(() => link.close());
      cores.push({ port, link, process: await startCore(port) });
    }
    const startWorker = () =>
      startRole("worker", { MONGODB_URI: set.uri("faults-worker"), ATELIER_WORKER_CONCURRENCY: "32" });
    const workers = await Promise.all([startWorker(), startWorker()]);
    const [httpPort, opsPort] = [await freePort(), await freePort()];
    const gateway = processes.start("gateway", process.execPath, [GATEWAY], {
      env: {
        ...common,
        ATELIER_CORE_ADDRESS: `ipv4:${cores.map(({ link }) => `127.0.0.1:${link.port}`).join(",")}`,
        ATELIER_HTTP_PORT: String(httpPort),
        ATELIER_OPS_PORT: String(opsPort),
      },
    });
    await waitFor(
      "the gateway to be ready",
      async () => {
        if (!gateway.isRunning()) throw new Error(gateway.output());
        return (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok;
      },
      UP_BOUND_MS,
    );
    const seen = set.members.map(({ link }) => link.count(CORE_NAME));
    if (seen.includes(0)) throw new Error("the links do not recognise the connections of cores");
    return {
      url: `http://127.0.0.1:${httpPort}`,
      set,
      cores,
      workers,
      app,
      restartCore: async (core) => {
        core.process = await startCore(core.port);
      },
      restartWorker: async (worker) => {
        workers[workers.indexOf(worker)] = await startWorker();
      },
      createKeys: (count) => createKeys(app, count),
      audit: () => audit(app),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function openSuiteApp(set: ReplicaSet, folder: string, undo: (() => unknown)[]): Promise<App> {
  const test = { name: "test", safeToRepeat: true, start: async () => [] };
  const { app, close } = await openApp({
    config: loadConfig({ ATELIER_MONGO_DATABASE: DATABASE, ATELIER_DATA_DIR: folder }),
    log: createLog("error", "faults"),
    metrics: createMetrics(),
    mongodbUri: set.uri("faults-suite"),
    providers: new Map([[test.name, test]]),
  });
  undo.push(close);
  await migrate(app);
  await addModel(app, {
    model_slug: "quick",
    name: "Quick",
    modality: "image",
    description: "For tests.",
    credits: 1,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 100,
    params_schema: { type: "object", properties: {}, additionalProperties: false },
    provider: "test",
    provider_model: "test",
    run_timeout_ms: 120_000,
  });
  return app;
}

let made = 0;

async function createKeys(app: App, count: number): Promise<{ accountId: string; key: string }[]> {
  const all = [];
  for (let n = 0; n < count; n++) {
    const email = `client-${++made}@example.com`;
    const { _id: accountId } = await createAccount(app, { email, name: "Client", plan: PLAN });
    await grantCredits(app, { accountId, amount: 100_000, kind: "grant", memo: null, source: "system" });
    const { secret: key } = await createKey(app, accountId, {
      name: "load",
      scope: "write",
      expiresAt: null,
    });
    all.push({ accountId, key });
  }
  return all;
}

async function audit(app: App): Promise<string[]> {
  const wrong: string[] = [];
  for await (const { findings } of auditAccounts(app)) wrong.push(...findings.map(({ what }) => what));
  return wrong;
}
