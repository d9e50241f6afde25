// What a separate worker loads before it takes jobs, which other workers run meanwhile.
import type { App } from "../../kernel/app.ts";
import { listModels } from "../models/list-models.ts";
import { routesOf } from "./route-rules.ts";

/** Loads what the first call of each provider of a live model would load otherwise. Only logs a failure: that call then meets it. */
export async function prepareToCall(app: Pick<App, "models" | "providers" | "log">): Promise<void> {
  const names = (await listModels(app)).flatMap((model) => routesOf(model)).map(({ provider }) => provider);
  for (const name of new Set(names))
    try {
      await app.providers.get(name)?.warmStart?.();
    } catch (err) {
      app.log.warn({ err, provider: name }, "a provider could not load what its first call needs");
    }
}
