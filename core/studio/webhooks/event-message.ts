// The message that reports an event of an account to one of the account's endpoints.
import type { App } from "../../kernel/app.ts";
import { getEvent } from "../../kernel/events/forward.ts";
import { publishKey } from "../../kernel/signing/receipts.ts";
import {
  type EndedJob,
  type EndedLoaders,
  type PreparedAttempt,
  prepareAttempt,
  reported,
} from "./attempt.ts";
import { signingSecrets } from "./secret-rules.ts";
import { type AccountEndpointDoc, findEndpoint } from "./store-endpoints.ts";
import type { DeliveryDoc } from "./store.ts";

/** The message, or why there is none: the endpoint was removed or disabled, or the event is too old. */
export async function prepareEvent(
  app: App,
  delivery: DeliveryDoc,
  at: Date,
  loads: EndedLoaders,
): Promise<PreparedAttempt | string> {
  const { account_id: accountId, event_id: eventId = "", endpoint_id: endpointId = "" } = delivery;
  const endpoint = await findEndpoint(app.mongo.db, accountId, endpointId);
  if (!endpoint) return "endpoint removed";
  if (endpoint.disabled_at) return "endpoint disabled";
  const event = await getEvent(app, accountId, eventId);
  if (!event) return "event expired";
  const { seq, data } = event;
  return signedForEndpoint(
    app,
    delivery,
    endpoint,
    { event_id: eventId, seq, data, ...(await load(accountId, data, loads)) },
    at,
  );
}

/** One key signs v1a for all accounts, so the body names the account and the endpoint. */
export async function signedForEndpoint(
  app: App,
  delivery: DeliveryDoc,
  endpoint: AccountEndpointDoc,
  report: object,
  at: Date,
): Promise<PreparedAttempt> {
  const [key] = app.signingKeys.receipts;
  if (key) await publishKey(app, key);
  const named = { account_id: endpoint.account_id, endpoint_id: endpoint._id, ...report };
  return prepareAttempt(delivery, named, signingSecrets(endpoint, at), at, key?.privateKey);
}

async function load(
  accountId: string,
  { job_id: jobId, workflow_id: workflowId }: Readonly<Record<string, string | number>>,
  { loadJob, loadWorkflow }: EndedLoaders,
): Promise<object> {
  if (typeof jobId === "string") return reported((await loadJob(accountId, jobId)) satisfies EndedJob);
  if (typeof workflowId === "string")
    return reported({ workflow: await loadWorkflow(accountId, workflowId) });
  return {};
}
