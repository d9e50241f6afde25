// How one of our processes reaches core: address, TLS, and tokens of its own service.
import { type CoreClient, createCoreClient } from "../../proto/client.ts";
import type { Errand } from "../../proto/caller.ts";
import type { Config } from "../config.ts";
import { loadClientTls } from "./core-tls.ts";
import type { OwnService } from "../service-names.ts";
import { createTokenSource, loadServiceKey } from "./service-token.ts";

/** Throws ConfigError where the configuration lacks what is needed. */
export function connectCore(
  config: Config,
  name: OwnService,
  { address, errand }: { address: string; errand?: Errand },
): CoreClient {
  const tls = loadClientTls(config);
  return createCoreClient({
    address,
    serviceToken: createTokenSource(loadServiceKey(config, name), name),
    ...(tls && { tls }),
    ...(errand && { errand }),
  });
}
