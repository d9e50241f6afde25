// What the parts of the website are given.
import type { Pages } from "../../catalog/pages.ts";
import type { GatewayOptions } from "../../gateway.ts";

/** `pages` keeps answers about the catalog for as long as they hold. */
export type SiteOptions = GatewayOptions & { pages: Pages };
