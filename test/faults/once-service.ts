// The whole service without a worker, and the model "once", whose provider must not be called twice for one job.
import { addModel } from "../../core/studio/models/add-model.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

export async function startOnceService(): Promise<WholeService> {
  const once = { ...createScriptedProvider({ safeToRepeat: false, stopsWhenAborted: true }), name: "once" };
  const provider = createScriptedProvider({ stopsWhenAborted: true });
  const service = await startWholeService({ worker: false, provider, providers: [once] });
  await addModel(service.app, {
    model_slug: "once",
    name: "Once",
    modality: "image",
    description: "For tests.",
    credits: 7,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 100,
    params_schema: { type: "object", properties: {}, additionalProperties: false },
    provider: "once",
    provider_model: "once",
    run_timeout_ms: 120_000,
  });
  return service;
}
