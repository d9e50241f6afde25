// The roles of `npm start` with data, core and worker, on an existing database.
import { openAppInProcess } from "../../core/entry/open-in-process.ts";
import { type Core, startCore, startWorker } from "../../core/entry/start.ts";
import type { App, OwnDatabase } from "../../core/kernel/app.ts";
import { prepareToSign } from "../../core/kernel/content-credentials/try-signer.ts";
import { listModels } from "../../core/studio/models/list-models.ts";
import type { Config } from "../../runtime/config/config.ts";
import type { ProcessFrame } from "../../runtime/process/run.ts";
import { demoFile, seedDemo, type Seeded } from "./seed.ts";

export type Database = { readonly mongodbUri: string; readonly ownDatabase?: OwnDatabase };
export type Demo = Seeded & { imageModel: string; keysPath: string };
export type Data = { core: Core | undefined; demo: Demo | undefined };

export async function startData(frame: ProcessFrame, database: Database): Promise<Data> {
  const { config, shutdown, checks } = frame;
  const app = await openAppInProcess(frame, database);
  const demo = config.profile === "development" ? await seed(config, app) : undefined;

  const core = config.roles.includes("core") ? await startCore(app) : undefined;
  if (core) {
    shutdown.add("core", core.close);
    shutdown.announce(core.leave);
  }
  if (config.roles.includes("worker")) {
    await prepareToSign(app);
    const worker = startWorker(app);
    shutdown.add("worker", worker.close);
    checks.push({ name: "worker", check: worker.ready });
  }
  return { core, demo };
}

async function seed(config: Config, app: App): Promise<Demo> {
  const [seeded, [model]] = [await seedDemo(app, config), await listModels(app, "image")];
  return { ...seeded, imageModel: model?._id ?? "", keysPath: demoFile(config.dataDir) };
}
