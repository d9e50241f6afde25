// POST /webhooks/providers/{provider}: webhooks of providers about calls, passed to core byte for byte. 200: accepted or irrelevant; 404:
// not sent by them, for any fault; 5xx: the service failed, so that it is sent again.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { addressSubject } from "../../runtime/networks.ts";
import type { RateLimits } from "../../edge/http/rate-limit.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor } from "../http/auth.ts";

/** Some providers include what was made. A larger report need not arrive, because the provider is asked anyway. */
const MAX_WEBHOOK_BYTES = 1024 * 1024;
const params = z.object({ provider: z.string().max(50) });
const text = z.string().max(200).catch("");
const query = z.object({ account: text, job: text, signature: text });

export async function providerWebhookRoutes(
  app: GatewayApp,
  { core, limits }: { core: CoreClient; limits: RateLimits },
): Promise<void> {
  // A signature covers the raw bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post(
    "/webhooks/providers/:provider",
    {
      schema: { hide: true, params, querystring: query },
      bodyLimit: MAX_WEBHOOK_BYTES,
      // This happens before the body is read. Only refusals are counted, because a provider sends as many reports as there are calls.
      onRequest: async (request) =>
        limits.enforce(await limits.count("webhooks", addressSubject(request.ip))),
    },
    async (request) => {
      const headers = Object.entries(request.headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      );
      await core.jobs.TakeProviderWebhook(
        {
          ...request.params,
          ...request.query,
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          headers: Object.fromEntries(headers),
        },
        callFor(request),
      );
      await limits.release("webhooks", addressSubject(request.ip));
      return { ok: true };
    },
  );
}
