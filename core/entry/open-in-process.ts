// Opens the App of a process that holds data, with everything that its entry, its readiness and its operator's page need.
import type { ProcessFrame } from "../../runtime/process/run.ts";
import type { OwnDatabase } from "../kernel/app.ts";
import type { JobsApp } from "../studio/jobs/local-dispatch.ts";
import { openData } from "./migrate.ts";
import { operatorPanels } from "./operator-panels.ts";
import { openApp } from "./start.ts";

/** Throws if the database does not answer, or holds data that this code must not touch. */
export async function openAppInProcess(
  { config, log, metrics, tracing, shutdown, checks, panels }: Omit<ProcessFrame, "startOps">,
  database: { readonly mongodbUri: string; readonly ownDatabase?: OwnDatabase },
): Promise<JobsApp> {
  const { app, clockCheck, close } = await openApp({ config, log, metrics, tracing, ...database });
  shutdown.add("database connection", close);
  checks.push(clockCheck);
  await openData(app);
  panels.push(...operatorPanels(app));
  return app;
}
