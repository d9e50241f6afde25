// Common parts of the public catalog's use cases.
import { publicUrls } from "../../../runtime/public-urls.ts";
import type { App } from "../../kernel/app.ts";
import { type CatalogOptions, createLiveCatalog, type LiveCatalog } from "./live-catalog.ts";
import type { SnapshotApp } from "./snapshot.ts";

export type Catalog = {
  readonly app: SnapshotApp;
  readonly live: LiveCatalog;
  /** The address of the public site, without a trailing slash. */
  readonly baseUrl: string;
  /** Without payments, only free products can be bought. */
  readonly takesPayments: boolean;
};

/** It is empty before `live.start()`. */
export function createCatalog(
  app: SnapshotApp & Pick<App, "ownDatabase" | "config" | "payments">,
  options: CatalogOptions = {},
): Catalog {
  const { baseUrl } = publicUrls(app.config);
  const takesPayments = app.payments.current !== undefined;
  return { app, live: createLiveCatalog(app, baseUrl, options), baseUrl, takesPayments };
}
