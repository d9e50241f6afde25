// What every use case of core is given. There is no container and no global: an App is built by an entry or by a test.
import type { Config } from "../runtime/config.ts";
import type { Clock, NewId } from "../runtime/clock.ts";
import type { Logger } from "../runtime/log.ts";
import type { Mongo } from "./mongo/client.ts";
import type { Providers } from "./providers/provider.ts";

export type App = {
  readonly config: Config;
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  readonly providers: Providers;
  /** Signs output URLs. */
  readonly secret: string;
  /** Public address of the generation API, without a trailing slash. */
  readonly generationBaseUrl: string;
};
