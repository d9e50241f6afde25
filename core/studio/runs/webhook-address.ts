// The URL at which a provider announces that a call has ended. It names the job and is signed, so that it cannot be forged, and a leaked
// one is valid only for that job.
import type { App } from "../../kernel/app.ts";
import { type SignedLink, isSigned, signInfo } from "../../kernel/outputs/sign.ts";

/** Keeps these signatures apart from everything else that is signed with the same secret. */
const PURPOSE = "atelier provider webhook v1";

export type WebhookCall = { readonly provider: string; readonly accountId: string; readonly jobId: string };

type Own = Pick<App, "config" | "secrets" | "generationBaseUrl">;

/** Undefined if providers cannot, or should not, reach this service. */
export function webhookAddress(app: Own, call: WebhookCall): string | undefined {
  const { providerWebhookUrl: configured } = app.config;
  const base = configured ?? (app.generationBaseUrl.startsWith("https:") ? app.generationBaseUrl : "off");
  if (base === "off") return undefined;
  const signature = signInfo(app.secrets, factsOf(call));
  const query = new URLSearchParams({ account: call.accountId, job: call.jobId, signature });
  return `${base.replace(/\/+$/, "")}/webhooks/providers/${call.provider}?${query.toString()}`;
}

export function isWebhookAddress(app: Pick<App, "secrets">, call: WebhookCall, signature: string): boolean {
  return isSigned(app.secrets, factsOf(call), signature);
}

function factsOf({ provider, accountId, jobId }: WebhookCall): SignedLink {
  return [PURPOSE, provider, accountId, jobId];
}
