// The service for faults: two cores, two workers and a gateway on a replica set of three, with a link in every connection between them, and
// a provider whose jobs take as long as their prompts say.
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { addModel } from "../../core/studio/models/add-model.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import type { AtEnd } from "./command.ts";
import { TRIAL_SETTINGS, type TrialOptions } from "./trial.ts";
import { withApp } from "./with-app.ts";

const MODEL = {
  model_slug: "quick",
  name: "Quick",
  modality: "image" as const,
  description: "For trials.",
  credits: 1,
  per: "generation" as const,
  estimated_seconds: 1,
  max_prompt_length: 100,
  params_schema: { type: "object", properties: {}, additionalProperties: false },
  provider: "test",
  provider_model: "test",
  run_timeout_ms: 120_000,
};
/** The provider of cores and workers (test/support/role-process.ts), by name. */
const PROVIDER: Provider = { name: "test", safeToRepeat: true, start: async () => [] };
const jobOf = (prompt: string) => ({ modality: MODEL.modality, model_slug: MODEL.model_slug, prompt });

/** The jobs of a trial on it. */
export const FAULT_JOBS: Pick<TrialOptions, "job" | "quickJob"> = {
  job: jobOf("takes 400 ms"),
  quickJob: jobOf("immediately"),
};

/** `isDefault`: the replica set has MongoDB's own settings, except the election timeout. */
export async function openFaultService(atEnd: AtEnd, isDefault = false): Promise<Cluster> {
  const cluster = await openCluster(atEnd, {
    without: ["redis", "versitygw", "caddy"],
    say: () => {},
    settings: { ...TRIAL_SETTINGS, ATELIER_WORKER_CONCURRENCY: "32", ATELIER_LOG_LEVEL: "warn" },
    forFaults: { isDefault },
  });
  await withApp(cluster, ({ app }) => addModel({ ...app, providers: new Map([["test", PROVIDER]]) }, MODEL));
  return cluster;
}
