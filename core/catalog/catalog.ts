// What the use cases of the public catalog share.
import { publicUrls } from "../../runtime/http/public-urls.ts";
import type { App } from "../app.ts";
import { createLiveCatalog, type LiveCatalog } from "./live-catalog.ts";

export type Catalog = {
  readonly app: Pick<App, "mongo" | "clock" | "log">;
  readonly live: LiveCatalog;
  /** Address of the public site, without a trailing slash. */
  readonly baseUrl: string;
};

/** Knows nothing before `live.start()`. */
export function createCatalog(app: Pick<App, "mongo" | "ownDatabase" | "clock" | "log" | "config">): Catalog {
  const { baseUrl } = publicUrls(app.config);
  return { app, live: createLiveCatalog(app, baseUrl), baseUrl };
}
