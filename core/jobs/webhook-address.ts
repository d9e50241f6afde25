// The address at which a provider announces that a call has ended. It names the job and carries our signature, so that nobody can make one
// up, and a leaked one is only good for that job.
import type { App } from "../app.ts";
import { isGenuine, signFacts } from "../outputs/sign.ts";

/** Keeps these signatures apart from all else that is signed with the same secret. */
const PURPOSE = "atelier provider webhook v1";

export type WebhookCall = { readonly provider: string; readonly accountId: string; readonly jobId: string };

type Own = Pick<App, "config" | "secret" | "generationBaseUrl">;

/** Undefined if providers cannot, or should not, reach this service. */
export function webhookAddress(app: Own, call: WebhookCall): string | undefined {
  const { providerWebhookUrl: configured } = app.config;
  const base = configured ?? (app.generationBaseUrl.startsWith("https:") ? app.generationBaseUrl : "off");
  if (base === "off") return undefined;
  const signature = sign(app, call).toString("base64url");
  const query = new URLSearchParams({ account: call.accountId, job: call.jobId, signature });
  return `${base.replace(/\/+$/, "")}/webhooks/providers/${call.provider}?${query.toString()}`;
}

export function isWebhookAddress(app: Pick<App, "secret">, call: WebhookCall, signature: string): boolean {
  return isGenuine(signature, sign(app, call));
}

function sign({ secret }: Pick<App, "secret">, { provider, accountId, jobId }: WebhookCall): Buffer {
  return signFacts(secret, [PURPOSE, provider, accountId, jobId]);
}
