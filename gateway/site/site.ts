// The website as a fastify plugin: pages for people, beside the API and apart from its ways with other origins. A route is for anyone, or
// stands in one of the two scopes in which someone has to be signed in.
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { homeOrigins } from "../../edge/http/home-origins.ts";
import { createMailer } from "../../runtime/mail.ts";
import type { GatewayOptions } from "../gateway.ts";
import { useZod } from "../http/zod-schemas.ts";
import { statusPage } from "./about/status-page.ts";
import { textPages } from "./about/texts.ts";
import { accountJson } from "./account/account-json.ts";
import { callbackPages } from "./account/callbacks.ts";
import { emailLinkPages } from "./account/change-email.ts";
import { dataPages, deletedPage } from "./account/data.ts";
import { keyPages } from "./account/keys.ts";
import { passkeyJson } from "./account/passkeys.ts";
import { sessionPages } from "./account/sessions.ts";
import { settingsPages } from "./account/settings.ts";
import { trialRoute } from "./account/trial.ts";
import { loadAssets } from "./assets/assets.ts";
import { assetRoutes } from "./assets/serve.ts";
import { catalogPages, productForms } from "./catalog/catalog-pages.ts";
import { connectKeyRoute, connectRoutes } from "./connect/connect.ts";
import { creditsPages, creditsJson } from "./credits/credits.ts";
import { pricingPage } from "./credits/pricing-page.ts";
import { docsPages } from "./docs/docs-pages.ts";
import { inboxPages } from "./inbox/inbox.ts";
import { compressPages } from "./layout/compress-pages.ts";
import { errorPage } from "./layout/error-page.ts";
import type { SiteOptions } from "./layout/site-options.ts";
import { libraryPages, linkedFiles } from "./library/library.ts";
import { termsPages } from "./library/terms-page.ts";
import { sampleRoutes } from "./samples/sample-files.ts";
import { refuseForeignPages } from "./session/csrf.ts";
import { keepSessions, viewerOf } from "./session/current-person.ts";
import { acceptForms } from "./session/forms.ts";
import { pageOfForm } from "./session/kept-form.ts";
import { protectJsonRoutes, protectPages } from "./session/protect.ts";
import { signInRoutes } from "./session/sign-in.ts";
import { signOutRoute } from "./session/sign-out.ts";
import { checkoutPages } from "./shop/checkout.ts";
import { demoPaymentPages } from "./shop/demo-page.ts";
import { membershipPage } from "./shop/membership-page.ts";
import { orderPages } from "./shop/orders.ts";
import { packsPage } from "./shop/packs-page.ts";
import { planPage } from "./shop/plan-page.ts";
import { subscriptionPages } from "./shop/subscriptions.ts";
import { confirmPages } from "./studio/confirm.ts";
import { generateRoutes, openGenerateRoutes } from "./studio/generate.ts";
import { jobPages, jobFiles } from "./studio/jobs.ts";
import { modelsPages } from "./studio/models-pages.ts";
import { sharedPages, sharePages } from "./studio/shares.ts";
import { uploadFiles } from "./studio/uploads.ts";
import { verifyFilePage, verifyPage } from "./studio/verify-page.ts";
import { workflowPages } from "./studio/workflows.ts";
import { supportPages } from "./support/support.ts";

export async function siteRoutes(server: FastifyInstance, options: SiteOptions): Promise<void> {
  const app = server.withTypeProvider<ZodTypeProvider>();
  const assets = loadAssets();
  app.decorate("siteAssets", assets);
  useZod(app);
  const mailer = createMailer(options.config, app.log);
  app.addHook("onClose", async () => mailer?.close());
  app.decorate("mailer", mailer);
  keepSessions(app, options);
  const { sessions } = app;
  app.errorPages.make = errorPage(assets, {
    findViewer: (request, status) => viewerOf(sessions, request, status),
    pageOfForm,
  });
  refuseForeignPages(app, homeOrigins(options.config, options.baseUrl));
  acceptForms(app);
  compressPages(app);
  assetRoutes(app, assets);
  sampleRoutes(app);
  catalogPages(app, options);
  connectRoutes(app, options);
  docsPages(app, options);
  pricingPage(app, options);
  verifyPage(app, options);
  modelsPages(app, options);
  openGenerateRoutes(app, options);
  sharedPages(app, options);
  signInRoutes(app, options);
  deletedPage(app);
  emailLinkPages(app, options);
  termsPages(app);
  textPages(app, options);
  statusPage(app, options);
  linkedFiles(app, options);
  await app.register(verifyFilePage, options);
  await app.register(ownPages, options);
  await app.register(ownJson, options);
}

async function ownPages(server: FastifyInstance, options: GatewayOptions): Promise<void> {
  const app = server.withTypeProvider<ZodTypeProvider>();
  protectPages(app, options.limits);
  signOutRoute(app, options);
  settingsPages(app, options);
  keyPages(app, options);
  callbackPages(app, options);
  planPage(app, options);
  trialRoute(app, options);
  membershipPage(app, options);
  subscriptionPages(app, options);
  sessionPages(app, options);
  dataPages(app, options);
  connectKeyRoute(app, options);
  await app.register(generateRoutes, options);
  jobPages(app, options);
  sharePages(app, options);
  workflowPages(app, options);
  creditsPages(app, options);
  confirmPages(app, options);
  inboxPages(app, options);
  libraryPages(app, options);
  productForms(app, options);
  checkoutPages(app, options);
  packsPage(app, options);
  orderPages(app, options);
  demoPaymentPages(app, options);
  supportPages(app, options);
}

/** /account/api: the requests of the pages' scripts, with the session cookie and, for changes, `x-csrf-token`. */
async function ownJson(server: FastifyInstance, options: GatewayOptions): Promise<void> {
  const app = server.withTypeProvider<ZodTypeProvider>();
  protectJsonRoutes(app, options.limits);
  accountJson(app, options);
  passkeyJson(app, options);
  jobFiles(app, options);
  creditsJson(app, options);
  await app.register(uploadFiles, options);
}
