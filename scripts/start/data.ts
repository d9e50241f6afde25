// The roles of `npm start` that hold data, core and worker, on a database that is there.
import type { OwnDatabase } from "../../core/app.ts";
import { openData } from "../../core/migrate.ts";
import { listModels } from "../../core/models/list-models.ts";
import { operatorPanels } from "../../core/operator-panels.ts";
import { type Core, openApp, type OpenedApp, startCore, startWorker } from "../../core/start.ts";
import type { Config } from "../../runtime/config.ts";
import type { ProcessFrame } from "../../runtime/process/run.ts";
import { demoFile, seedDemo, type Seeded } from "../demo/seed.ts";

export type Database = { readonly mongodbUri: string; readonly ownDatabase?: OwnDatabase };
export type Demo = Seeded & { imageModel: string; keysPath: string };
export type Data = { core: Core | undefined; demo: Demo | undefined };

export async function startData(
  { config, log, metrics, tracing, shutdown, checks, panels }: ProcessFrame,
  { mongodbUri, ownDatabase }: Database,
): Promise<Data> {
  const opened = await openApp({ config, log, metrics, tracing, mongodbUri, ownDatabase });
  shutdown.add("database connection", opened.close);
  checks.push(opened.clockCheck);
  await openData(opened.app);
  panels.push(...operatorPanels(opened.app));
  const demo = config.profile === "development" ? await seed(config, opened) : undefined;

  const core = config.roles.includes("core") ? await startCore(opened.app) : undefined;
  if (core) {
    shutdown.add("core", core.close);
    shutdown.announce(core.leave);
  }
  if (config.roles.includes("worker")) {
    const worker = startWorker(opened.app);
    shutdown.add("worker", worker.close);
    checks.push({ name: "worker", check: worker.ready });
  }
  return { core, demo };
}

async function seed(config: Config, { app }: OpenedApp): Promise<Demo> {
  const [seeded, [model]] = [await seedDemo(app, config), await listModels(app, { modality: "image" })];
  return { ...seeded, imageModel: model?._id ?? "", keysPath: demoFile(config.dataDir) };
}
