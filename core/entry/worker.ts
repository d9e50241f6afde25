// A worker as a separate process: it runs jobs, delivers webhooks and removes expired outputs, with its database in another process.
import { requireSetting, runProcess } from "../../runtime/process/run.ts";
import { prepareToSign } from "../kernel/content-credentials/try-signer.ts";
import { prepareToCall } from "../studio/runs/prepare.ts";
import { openAppInProcess } from "./open-in-process.ts";
import { startWorker } from "./start.ts";

await runProcess("worker", async (frame) => {
  const { config, log, shutdown, checks, startOps } = frame;
  const mongodbUri = requireSetting(config, "mongodbUri", "a worker on its own embeds no database");
  const app = await openAppInProcess(frame, { mongodbUri });
  await prepareToSign(app);
  await prepareToCall(app);
  const worker = startWorker(app);
  shutdown.add("worker", worker.close);
  checks.push({ name: "worker", check: worker.ready });
  await startOps();
  log.info("worker is up");
});
