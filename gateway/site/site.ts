// The website as a fastify plugin: pages for people, beside the API and apart from its ways with other origins.
import type { FastifyInstance } from "fastify";
import { homeOrigins } from "../../runtime/http/home-origins.ts";
import { createMailer } from "../../runtime/mail.ts";
import { useZod } from "../http/zod-schemas.ts";
import { accountApi } from "./account/account-api.ts";
import { accountPages } from "./account/account-pages.ts";
import { loadAssets } from "./assets/assets.ts";
import { assetRoutes } from "./assets/serve.ts";
import { catalogPages } from "./catalog/catalog-pages.ts";
import { connectPage } from "./connect/connect-page.ts";
import { creditsRoutes } from "./credits/credits.ts";
import { acceptForms } from "./session/forms.ts";
import { errorPage } from "./layout/error-page.ts";
import { refuseForeignPages } from "./session/csrf.ts";
import { keepSessions } from "./session/current-person.ts";
import { signInRoutes } from "./session/sign-in.ts";
import { signOutRoute } from "./session/sign-out.ts";
import type { SiteOptions } from "./layout/site-options.ts";
import { generateRoutes } from "./studio/generate.ts";
import { jobsRoutes } from "./studio/jobs.ts";

export async function siteRoutes(app: FastifyInstance, options: SiteOptions): Promise<void> {
  const assets = loadAssets();
  app.decorate("siteAssets", assets);
  app.errorPages.send = errorPage(assets);
  useZod(app);
  const mailer = createMailer(options.config, app.log);
  app.addHook("onClose", async () => mailer?.close());
  app.decorate("mailer", mailer);
  keepSessions(app, options);
  refuseForeignPages(app, homeOrigins(options.config, options.baseUrl));
  acceptForms(app);
  assetRoutes(app, assets);
  catalogPages(app, options);
  connectPage(app, options);
  signInRoutes(app, options);
  signOutRoute(app, options);
  accountPages(app, options);
  generateRoutes(app, options);
  jobsRoutes(app, options);
  creditsRoutes(app, options);
  await app.register(accountApi, options);
}
