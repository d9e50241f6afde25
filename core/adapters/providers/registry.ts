// All providers of this process, by the name that models give: the embedded one, and those that are configured.
import type { Clock } from "../../../runtime/clock.ts";
import type { Config } from "../../../runtime/config/config.ts";
import type { Logger } from "../../../runtime/log/log.ts";
import { createHttpQueueProvider } from "./http-queue/provider.ts";
import { createLocalProvider } from "./local/provider.ts";
import type { Provider, Providers } from "./provider.ts";

/** Throws if a configured package cannot be loaded, with a message for the operator. Starts no thread and opens no connection. */
export async function createProviders(
  config: Pick<Config, "aiSdkProviders" | "httpQueueProviders">,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<Providers> {
  const configured = await Promise.all(
    Object.entries(config.aiSdkProviders).map(async ([name, entry]) => {
      // The SDK takes some 17 MB, which a process without one of its providers need not hold.
      const { createAiSdkProvider } = await import("./ai-sdk/provider.ts");
      return createAiSdkProvider(name, entry, { log, clock });
    }),
  );
  const queues = Object.entries(config.httpQueueProviders).map(([name, entry]) =>
    createHttpQueueProvider(name, entry, { log, clock }),
  );
  const all: Provider[] = [createLocalProvider(log), ...configured, ...queues];
  return new Map(all.map((provider) => [provider.name, provider]));
}
