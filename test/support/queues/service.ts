// The whole service with a queue provider, connected as in docs/operations/providers.md, with webhooks.
import { createHttpQueueProvider } from "../../../core/adapters/providers/http-queue/provider.ts";
import type { App } from "../../../core/kernel/app.ts";
import { systemClock } from "../../../runtime/clock.ts";
import type { HttpQueueEntry } from "../../../runtime/config/http-queue-settings.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { freePort } from "../../../runtime/process/free-port.ts";
import { addTestModel } from "../app.ts";
import { startWholeService, type WholeService, type WholeServiceOptions } from "../whole-service.ts";

/** Models `fal` and `replicate`, for 10 credits each. */
export async function startQueueService(
  entries: Record<string, HttpQueueEntry>,
  { env, runTimeoutMs = 600_000, ...options }: WholeServiceOptions & { runTimeoutMs?: number } = {},
): Promise<WholeService> {
  const port = await freePort();
  const log = createLog("silent", "test");
  const providers = Object.entries(entries).map(([name, entry]) =>
    createHttpQueueProvider(name, entry, { log, clock: systemClock }),
  );
  const service = await startWholeService({
    ...options,
    providers,
    env: {
      ATELIER_HTTP_PORT: String(port),
      ATELIER_PROVIDER_WEBHOOK_URL: `http://127.0.0.1:${port}`,
      ...env,
    },
  });
  for (const name of Object.keys(entries)) await addQueueModel(service.app, name, runTimeoutMs);
  return {
    ...service,
    close: async () => {
      await service.close();
      await Promise.all(providers.map((provider) => provider.close?.()));
    },
  };
}

async function addQueueModel(app: App, name: string, runTimeoutMs: number): Promise<void> {
  await addTestModel(app, {
    model_slug: name,
    provider: name,
    provider_model: "owner/name",
    run_timeout_ms: runTimeoutMs,
  });
}
