// A service as operators run it, of this checkout or another, with a separate database: in one process as `npm start`, or each role in its
// own process. No worker, so that drawing is not measured.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import type * as Seed from "../../core/studio/models/seed.ts";
import { ROOT } from "../../scripts/testbed/compose.ts";
import { type RoleUse, settingsOf, startRole } from "./role.ts";
import type * as Lives from "./whole-lives.ts";
import type * as World from "./world.ts";
import { startBenchMongod } from "./world.ts";

const DATABASE = "bench";

export type Place = {
  /** Prepared with the checkout's own code. */
  readonly app: JobsApp;
  readonly port: number;
  readonly mcpPort: number;
  /** The settings of its processes. */
  readonly env: Record<string, string>;
  createCustomer(maxCredits?: number): Promise<World.Customer>;
  /** Each process's usage: all in one, or gateway, mcp and core. */
  use(): Promise<RoleUse[]>;
  /** Processor time of each process so far. */
  cpuSeconds(): Promise<number[]>;
  audit(): Promise<string>;
  close(): Promise<void>;
};

export async function openPlace(
  isApart: boolean,
  ownEnv: Record<string, string> = {},
  checkout = ROOT,
): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-place-"));
  const mongod = isApart ? await startBenchMongod() : undefined;
  const { port, mcpPort, env: own } = await settingsOf(mongod && { uri: mongod.uri, name: DATABASE }, folder);
  const env = { ...own, ATELIER_MONGO_DATABASE: DATABASE, ATELIER_MONGO_PORT: "0", ...ownEnv };
  const start = async (role: "all" | "core" | "gateway" | "mcp", more: Record<string, string> = {}) =>
    (await startRole(role, { ...env, ...more }, checkout)).role;
  const first = await start(isApart ? "core" : "all", { ATELIER_ROLES: "core,gateway,mcp" });
  const edges = isApart
    ? [await start("gateway"), await start("mcp", { ATELIER_HTTP_PORT: String(mcpPort) })]
    : [];
  const roles = [...edges, first];

  const load = async <T>(file: string): Promise<T> => import(pathToFileURL(join(checkout, file)).href);
  const world = await load<typeof World>("bench/support/world.ts");
  const lives = await load<typeof Lives>("bench/support/whole-lives.ts");
  const { seedModels } = await load<typeof Seed>("core/studio/models/seed.ts");
  const uri = mongod?.uri ?? readFileSync(join(folder, "mongo.uri"), "utf8").trim();
  const { app, close } = await world.openBenchApp(uri, DATABASE);
  await world.prepare(app);
  await seedModels(app);
  const use = () => Promise.all(roles.map((role) => role.use()));
  return {
    app,
    port,
    mcpPort: isApart ? mcpPort : port,
    env,
    createCustomer: (maxCredits) => world.createCustomer(app, maxCredits),
    use,
    cpuSeconds: async () => (await use()).map(({ cpuSeconds }) => cpuSeconds),
    audit: () => lives.auditInWords(app),
    close: async () => {
      await close();
      for (const role of roles) await role.stop();
      await mongod?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
