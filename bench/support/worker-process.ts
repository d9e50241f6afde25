// A worker in a process of its own, told over IPC when to go and when to stop. Arguments: MongoDB URI, database.
import { startWorker } from "../../core/studio/runs/worker.ts";
import { openBenchApp } from "./world.ts";

const [uri = "", database = ""] = process.argv.slice(2);
const { app, close } = await openBenchApp(uri, database);
let worker: ReturnType<typeof startWorker> | undefined;
process.on("message", async (message) => {
  if (message === "go") worker = startWorker(app, { concurrency: 128, leaseMs: 15_000 });
  if (message !== "stop") return;
  await worker?.stop(10_000);
  await close();
  process.disconnect();
});
process.send?.("ready");
