// Core and gateway as operators run them, for measurements of what stays open.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { type Role, settingsOf, startRole } from "./role.ts";
import { openBenchApp, prepare, startBenchMongod } from "./world.ts";

export type StreamFixture = {
  readonly app: JobsApp;
  /** Of the gateway. */
  readonly port: number;
  readonly core: Role;
  readonly gateway: Role;
  close(): Promise<void>;
};

export async function startStreamFixture(
  database: string,
  env: Record<string, string> = {},
): Promise<StreamFixture> {
  const folder = mkdtempSync(join(tmpdir(), `atelier-bench-${database}-`));
  const mongod = await startBenchMongod();
  const { app, close } = await openBenchApp(mongod.uri, database);
  await prepare(app);
  const settings = await settingsOf(mongod.uri, database, folder);
  const { port } = settings;
  const common = { ...settings.env, ...env };
  const { role: core } = await startRole("core", common);
  const { role: gateway } = await startRole("gateway", common);
  return {
    app,
    port,
    core,
    gateway,
    close: async () => {
      await gateway.stop();
      await core.stop();
      await close();
      await mongod.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
