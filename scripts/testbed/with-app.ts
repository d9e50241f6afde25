// Core's own code on a service's database, for steps without a URL: the demonstration account, customers, their sessions.
import type { OpenedApp } from "../../core/entry/start.ts";
import type { Config } from "../../runtime/config/config.ts";
import { seedDemo } from "../start/seed.ts";
import type { Cluster } from "./cluster.ts";
import { loadCode, type ReleaseCode } from "./release.ts";

/** Uses the code of the cluster's release; this one by default. */
export async function withApp<T>(
  cluster: Cluster,
  work: (opened: OpenedApp) => Promise<T>,
  code?: ReleaseCode,
): Promise<T> {
  const release = code ?? (await loadCode());
  const env = cluster.plan.parts.find(({ service }) => service === "core")?.env;
  return withData(release.loadConfig(env), work, release);
}

/** On the database in these settings. */
export async function withData<T>(
  config: Config,
  work: (opened: OpenedApp) => Promise<T>,
  { createLog, createMetrics, openApp }: Pick<ReleaseCode, "createLog" | "createMetrics" | "openApp">,
): Promise<T> {
  const opened = await openApp({
    config,
    log: createLog("error", "cluster"),
    metrics: createMetrics(),
    mongodbUri: config.mongodbUri ?? "",
  });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Creates the demo's models, products and account. Returns a sign-in link. */
export async function seedCluster(cluster: Cluster): Promise<string> {
  const { signInUrl } = await withApp(cluster, ({ app }) => seedDemo(app, app.config, cluster.folder));
  return signInUrl;
}
