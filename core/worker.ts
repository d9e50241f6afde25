// A worker on its own: runs jobs, delivers callbacks and removes expired outputs, with its database elsewhere.
import { requireSetting, runProcess } from "../runtime/process/run.ts";
import { prepareToSign } from "./content-credentials/try-signer.ts";
import { openData } from "./migrate.ts";
import { operatorPanels } from "./operator-panels.ts";
import { openApp, startWorker } from "./start.ts";

await runProcess("worker", async ({ config, log, metrics, tracing, shutdown, checks, panels, startOps }) => {
  const mongodbUri = requireSetting(config, "mongodbUri", "a worker on its own embeds no database");
  const { app, clockCheck, close } = await openApp({ config, log, metrics, tracing, mongodbUri });
  shutdown.add("database connection", close);
  await openData(app);
  await prepareToSign(app);
  const worker = startWorker(app);
  shutdown.add("worker", worker.close);
  checks.push(clockCheck, { name: "worker", check: worker.ready });
  panels.push(...operatorPanels(app));
  await startOps();
  log.info("worker is up");
});
