// Handles a provider's webhook about a call. It is trusted only as a reason to poll the provider, and for the handle if that was lost. So
// it may come twice, late, or not at all. Any fault in it gets the same response, which reveals nothing.
import { AppError } from "../../../proto/codes.ts";
import { ProviderError, WebhookRefused, type WebhookDelivery } from "../../adapters/providers/provider.ts";
import type { App } from "../../kernel/app.ts";
import { findJob } from "../jobs/store-reads.ts";
import { wakeCall } from "./calls.ts";
import { toProviderRequest } from "./provider-request.ts";
import { isWebhookAddress, type WebhookCall } from "./webhook-address.ts";

/** For providers whose public keys have to be fetched. */
const CHECK_TIMEOUT_MS = 10_000;

type Outcome = "woken" | "ended" | "bad_address" | "bad_signature";

/** Throws not_found, or service_unavailable if the provider's signature cannot be checked at the moment. */
export async function takeWebhook(
  app: App,
  { signature, ...call }: WebhookCall & { signature: string },
  delivery: WebhookDelivery,
): Promise<void> {
  const outcome = await verify(app, call, signature, delivery);
  app.metrics
    .counter("provider_webhooks_total", "Webhooks of providers, by what came of them.", [
      "provider",
      "outcome",
    ])
    // An unsigned message may name anything.
    .inc({ provider: outcome === "bad_address" ? "" : call.provider, outcome });
  if (outcome === "bad_signature")
    app.log.warn({ provider: call.provider, job: call.jobId }, "a webhook was not signed by its provider");
  if (outcome === "bad_address" || outcome === "bad_signature") throw new AppError("not_found");
}

async function verify(
  app: App,
  call: WebhookCall,
  signature: string,
  delivery: WebhookDelivery,
): Promise<Outcome> {
  const provider = app.providers.get(call.provider);
  if (!provider?.webhook || !isWebhookAddress(app, call, signature)) return "bad_address";
  const job = await findJob(app.mongo.db, call.accountId, call.jobId);
  if (job?.state !== "running" || job.call?.provider !== call.provider) return "ended";
  const asked = { request: toProviderRequest(job), signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) };
  let handle: string | undefined;
  try {
    handle = await provider.webhook(delivery, asked);
  } catch (error) {
    if (error instanceof WebhookRefused) return "bad_signature";
    // It is sent again, and the provider is asked by then in any case.
    throw error instanceof ProviderError ? new AppError("service_unavailable") : error;
  }
  return (await wakeCall(app, call.jobId, handle)) ? "woken" : "ended";
}
