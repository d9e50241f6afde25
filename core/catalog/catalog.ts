// What the use cases of the public catalog share.
import { publicUrls } from "../../runtime/http/public-urls.ts";
import type { App } from "../app.ts";
import { createLiveCatalog, type LiveCatalog } from "./live-catalog.ts";

export type Catalog = {
  readonly app: Pick<App, "mongo" | "clock" | "log">;
  readonly live: LiveCatalog;
  /** Address of the public site, without a trailing slash. */
  readonly baseUrl: string;
  /** Without payments only what is free can be bought. */
  readonly takesPayments: boolean;
};

/** Knows nothing before `live.start()`. */
export function createCatalog(
  app: Pick<App, "mongo" | "ownDatabase" | "clock" | "log" | "config" | "payments">,
): Catalog {
  const { baseUrl } = publicUrls(app.config);
  const takesPayments = app.payments.current !== undefined;
  return { app, live: createLiveCatalog(app, baseUrl), baseUrl, takesPayments };
}
