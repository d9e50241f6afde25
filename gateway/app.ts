// The gateway as a fastify plugin: the website, and the REST API, which translates HTTP to calls of core and back. No rule lives here.
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { createKeyGuard } from "../edge/http/key-guard.ts";
import { answerReady } from "../edge/http/ready-answers.ts";
import { createKeptAnswers, type KeptAnswers } from "./catalog/kept-answers.ts";
import type { GatewayOptions } from "./gateway.ts";
import { checkAccess } from "./http/auth.ts";
import { openToBrowsers } from "./http/cors.ts";
import { collectCrawledPaths, type CrawledPaths } from "./http/crawlers.ts";
import { answerErrors } from "./http/errors.ts";
import { useZod } from "./http/zod-schemas.ts";
import type { Document } from "./openapi/document.ts";
import { publishOpenApi } from "./openapi/openapi.ts";
import { callbackRoutes } from "./routes/callbacks.ts";
import { catalogChangeRoutes } from "./routes/catalog-changes.ts";
import { catalogRoutes } from "./routes/catalog.ts";
import { coverRoutes } from "./routes/covers.ts";
import { creditRoutes } from "./routes/credits.ts";
import { feedRoutes } from "./routes/feeds.ts";
import { estimateRoutes, generateRoutes } from "./routes/generate.ts";
import { incomingWebhookRoutes } from "./routes/incoming-webhooks.ts";
import { jobEventRoutes } from "./routes/job-events.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { meRoutes } from "./routes/me.ts";
import { modelRoutes } from "./routes/models.ts";
import { openAiFileRoutes } from "./routes/openai-videos.ts";
import { openAiRoutes } from "./routes/openai.ts";
import { outputRoutes } from "./routes/outputs.ts";
import { proofRoutes } from "./routes/proof.ts";
import { siteDocumentRoutes } from "./routes/site-documents.ts";
import { socialRoutes } from "./routes/social.ts";
import { fileRoutes, uploadRoutes } from "./routes/uploads.ts";
import { verifyFileRoute, verifyOutputRoute } from "./routes/verify-output.ts";
import { workflowRoutes } from "./routes/workflows.ts";
import { siteRoutes } from "./site/site.ts";

/** Register it on a server of createHttpServer. */
export async function gatewayRoutes(server: FastifyInstance, options: GatewayOptions): Promise<void> {
  const answers = createKeptAnswers(options.core, server.log);
  let apiDocument = (): Document => {
    throw new Error("the document is asked for before its routes are there");
  };
  server.addHook("onClose", async () => answers.stop());
  const crawled = collectCrawledPaths(server);
  // Side by side, because a hook reaches every scope below its own, whenever that was added: neither keys nor other origins are for
  // people's pages, neither cookies nor forms for programs.
  await server.register(siteRoutes, { ...options, answers, apiDocument: () => apiDocument() });
  await server.register(apiRoutes, {
    ...options,
    answers,
    crawled,
    publish: (document) => (apiDocument = document),
  });
}

async function apiRoutes(
  server: FastifyInstance,
  {
    answers,
    crawled,
    publish,
    ...options
  }: GatewayOptions & {
    answers: KeptAnswers;
    crawled: CrawledPaths;
    publish: (document: () => Document) => void;
  },
): Promise<void> {
  const app = server.withTypeProvider<ZodTypeProvider>();
  const { core, config, limits } = options;
  useZod(app);
  // A draining server ends its streams and long waits itself; clients come back with what they have seen.
  const draining = new AbortController();
  app.addHook("preClose", async () => draining.abort());

  const addPreflights = openToBrowsers(app);
  const guard = config.rateLimits ? createKeyGuard<object>(limits) : undefined;
  checkAccess(app, { core, limits, guard });
  answerErrors(app, core, guard);
  publish(await publishOpenApi(app, options));
  answerReady(app, options, answers.findReady);

  catalogRoutes(app, answers, options);
  catalogChangeRoutes(app, core, draining.signal);
  feedRoutes(app, answers, options, draining.signal);
  siteDocumentRoutes(app, answers, crawled, options);
  coverRoutes(app, core);
  socialRoutes(app, options);
  generateRoutes(app, options, draining.signal);
  estimateRoutes(app, options);
  jobRoutes(app, options, draining.signal);
  proofRoutes(app, options);
  jobEventRoutes(app, options, draining.signal);
  workflowRoutes(app, options, draining.signal);
  outputRoutes(app, options);
  modelRoutes(app, core);
  openAiRoutes(app, options, draining.signal);
  verifyOutputRoute(app, core);
  creditRoutes(app, core);
  meRoutes(app, options);
  callbackRoutes(app, core);
  uploadRoutes(app, options);
  await app.register(fileRoutes, options);
  await app.register(openAiFileRoutes, { ...options, draining: draining.signal });
  await app.register(verifyFileRoute, options);
  await app.register(incomingWebhookRoutes, { core, limits });
  addPreflights();
}
