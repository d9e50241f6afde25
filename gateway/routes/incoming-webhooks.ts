// POST /webhooks/payments/{provider} and /webhooks/providers/{provider}: webhooks of providers of payments and of media, passed to core byte
// for byte. 200: accepted or irrelevant; 400, and 404 for media: not sent by them; 5xx: the service failed, so that it is sent again.
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { RateLimits } from "../../edge/http/rate-limit.ts";
import type { CoreClient } from "../../proto/client.ts";
import { addressSubject } from "../../runtime/networks.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor } from "../http/auth.ts";

/** An invoice with many lines is larger than any request of clients. */
const MAX_EVENT_BYTES = 512 * 1024;
/** Some providers include what was made. A larger report need not arrive, because the provider is asked anyway. */
const MAX_REPORT_BYTES = 1024 * 1024;
const params = z.object({ provider: z.string().max(50) });
const text = z.string().max(200).catch("");
const query = z.object({ account: text, job: text, signature: text });

export async function incomingWebhookRoutes(
  app: GatewayApp,
  { core, limits }: { core: CoreClient; limits: RateLimits },
): Promise<void> {
  // A signature covers the raw bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post(
    "/webhooks/payments/:provider",
    {
      config: { access: { by: "none", scope: "read", limit: "paymentEvents" } },
      schema: { hide: true, params },
      bodyLimit: MAX_EVENT_BYTES,
    },
    async (request) => {
      const event = { ...request.params, ...sentIn(request) };
      const { outcome } = await core.orders.TakePaymentEvent(event, callFor(request));
      return { ok: true, outcome };
    },
  );
  app.post(
    "/webhooks/providers/:provider",
    {
      schema: { hide: true, params, querystring: query },
      bodyLimit: MAX_REPORT_BYTES,
      // This happens before the body is read. Only refusals are counted, because a provider sends as many reports as there are calls.
      onRequest: async (request) =>
        limits.enforce(await limits.count("webhooks", addressSubject(request.ip))),
    },
    async (request) => {
      const report = { ...request.params, ...request.query, ...sentIn(request) };
      await core.jobs.TakeProviderWebhook(report, callFor(request));
      await limits.release("webhooks", addressSubject(request.ip));
      return { ok: true };
    },
  );
}

/** The bytes, and the headers that stand in the request once. */
function sentIn({ headers, body }: Pick<FastifyRequest, "headers" | "body">) {
  const once = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers: Object.fromEntries(once) };
}
