// A service for clients: seeded models, files that are ready immediately or when the test says so, a proxy that can be cut, and a gateway
// that can restart.
import { ProviderError } from "../../core/adapters/providers/provider.ts";
import { LOCAL_MODELS } from "../../core/studio/models/seed.ts";
import { insertMissingModels } from "../../core/studio/models/store.ts";
import { startHttp } from "../../edge/role.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { createCustomer } from "../support/app.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

export type ClientFixture = {
  readonly service: WholeService;
  readonly key: string;
  /** The same service through a proxy that the test cuts and restores. */
  readonly proxy: TcpProxy;
  readonly shakyUrl: string;
  /** The same service through a separate gateway. */
  readonly restartedUrl: string;
  /** Stops that gateway as an upgrade does, and starts it again on the same port. */
  restart(): Promise<void>;
  /** The provider's call for this prompt, which begins with "held". It ends when the test says so. */
  held(prompt: string): Promise<Held>;
  close(): Promise<void>;
};

export type Held = { finish(): void; fail(): void };

export async function openClientFixture(): Promise<ClientFixture> {
  const calls = new Map<string, Held>();
  const provider = createScriptedProvider({
    stopsWhenAborted: true,
    answer: ({ prompt }, { signal }) => {
      if (!prompt.startsWith("held")) return [SMALL_OUTPUT];
      const { promise, resolve, reject } = Promise.withResolvers<(typeof SMALL_OUTPUT)[]>();
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      calls.set(prompt, {
        finish: () => resolve([SMALL_OUTPUT]),
        fail: () => reject(new ProviderError("provider_refused", "Nobody can make this.")),
      });
      return promise;
    },
  });
  const service = await startWholeService({ provider });
  await addSeededModels(service);
  const { key } = await createCustomer(service.app, { plan: "studio" });
  const proxy = await startTcpProxy(Number(new URL(service.url).port));
  const httpPort = await freePort();
  const start = () =>
    startHttp("gateway", [gatewayRoutes], {
      config: { ...service.config, httpPort },
      log: createLog("silent", "test"),
      metrics: createMetrics(),
      coreAddress: service.coreAddress,
    });
  let gateway = await start();
  return {
    service,
    key,
    proxy,
    shakyUrl: `http://127.0.0.1:${proxy.port}`,
    restartedUrl: `http://127.0.0.1:${httpPort}`,
    restart: async () => {
      await gateway.close();
      gateway = await start();
    },
    held: (prompt) => waitFor(`the provider to be called for ${prompt}`, () => calls.get(prompt)),
    close: async () => {
      await gateway.close();
      await proxy.cut();
      await service.close();
    },
  };
}

/** Models with the names in the samples, made by the test's provider. */
async function addSeededModels({ app }: WholeService): Promise<void> {
  const at = new Date();
  const models = LOCAL_MODELS.map((model, order) => ({
    ...model,
    status: "live" as const,
    provider: "test",
    run_timeout_ms: 60_000,
    provider_options: {},
    order: 100 + order,
    created_at: at,
    updated_at: at,
  }));
  await insertMissingModels(app.mongo.db, models);
  await waitFor("the models to be known", async () => (await app.models()).has("atelier-canvas"));
}
