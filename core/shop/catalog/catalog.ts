// What the use cases of the public catalog share.
import { publicUrls } from "../../../runtime/public-urls.ts";
import type { App } from "../../kernel/app.ts";
import { type CatalogOptions, createLiveCatalog, type LiveCatalog } from "./live-catalog.ts";
import type { SnapshotApp } from "./snapshot.ts";

export type Catalog = {
  readonly app: SnapshotApp;
  readonly live: LiveCatalog;
  /** Address of the public site, without a trailing slash. */
  readonly baseUrl: string;
  /** Without payments only what is free can be bought. */
  readonly takesPayments: boolean;
};

/** Knows nothing before `live.start()`. */
export function createCatalog(
  app: SnapshotApp & Pick<App, "ownDatabase" | "config" | "payments">,
  options: CatalogOptions = {},
): Catalog {
  const { baseUrl } = publicUrls(app.config);
  const takesPayments = app.payments.current !== undefined;
  return { app, live: createLiveCatalog(app, baseUrl, options), baseUrl, takesPayments };
}
