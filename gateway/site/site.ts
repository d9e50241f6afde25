// The website as a fastify plugin: pages for people, beside the API and apart from its ways with other origins.
import type { FastifyInstance } from "fastify";
import type { Pages } from "../catalog/pages.ts";
import type { GatewayOptions } from "../gateway.ts";
import { loadAssets } from "./assets/assets.ts";
import { assetRoutes } from "./assets/serve.ts";
import { acceptForms } from "./forms.ts";
import { errorPage } from "./layout/error-page.ts";

export type SiteOptions = GatewayOptions & { pages: Pages };

export async function siteRoutes(app: FastifyInstance, _options: SiteOptions): Promise<void> {
  const assets = loadAssets();
  app.decorate("siteAssets", assets);
  app.errorPages.send = errorPage(assets);
  acceptForms(app);
  assetRoutes(app, assets);
}
