// A worker in a separate process, which starts on request. Its environment names the database.
import { startWorker } from "../../core/studio/runs/worker.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { answerParent } from "./child.ts";
import { openBenchApp } from "./world.ts";

const { mongodbUri = "", mongoDatabase } = loadConfig();
const { app, close } = await openBenchApp(mongodbUri, mongoDatabase);
let worker: ReturnType<typeof startWorker> | undefined;
answerParent(
  "ready",
  async () => {
    worker = startWorker(app, { concurrency: 128, leaseMs: 15_000 });
    return "begun";
  },
  async () => {
    await worker?.stop(10_000);
    await close();
  },
);
