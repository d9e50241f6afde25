// POST /webhooks/payments/{provider}: events from payment providers, passed to core byte for byte. 200: accepted or irrelevant; 400: not
// signed by them; 5xx: the service failed, so that it is sent again.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor } from "../http/auth.ts";

/** An invoice with many lines is larger than any request of clients. */
const MAX_EVENT_BYTES = 512 * 1024;
const params = z.object({ provider: z.string().max(50) });

export async function paymentEventRoutes(app: GatewayApp, { core }: { core: CoreClient }): Promise<void> {
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
      const headers = Object.entries(request.headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      );
      const { outcome } = await core.orders.TakePaymentEvent(
        {
          provider: request.params.provider,
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          headers: Object.fromEntries(headers),
        },
        callFor(request),
      );
      return { ok: true, outcome };
    },
  );
}
