// The whole service without a worker, and the model "once", whose provider must not be called twice for one job.
import { addTestModel } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

export async function startOnceService(): Promise<WholeService> {
  const once = { ...createScriptedProvider({ safeToRepeat: false, stopsWhenAborted: true }), name: "once" };
  const provider = createScriptedProvider({ stopsWhenAborted: true });
  const service = await startWholeService({ worker: false, provider, providers: [once] });
  await addTestModel(service.app, {
    model_slug: "once",
    credits: 7,
    provider: "once",
    run_timeout_ms: 120_000,
  });
  return service;
}
