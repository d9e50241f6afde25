// Decisions about the endpoints of an account: which events they receive, and what the outcome of an attempt changes. This file is pure.
import type { AccountEndpointDoc } from "./store-endpoints.ts";

/** An endpoint that has failed for so long is disabled. */
export const DISABLED_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/** Whether an endpoint with these types receives the event. A type is an event, or all of a kind: job.* */
export function wantsEvent(types: readonly string[], event: string): boolean {
  return types.includes(event) || types.includes(`${event.slice(0, event.indexOf("."))}.*`);
}

/** The endpoint after an attempt that ended at this time; undefined if nothing changes. */
export function afterAttempt(
  endpoint: AccountEndpointDoc,
  isDelivered: boolean,
  at: Date,
): AccountEndpointDoc | undefined {
  const { failing_since: since, ...healthy } = endpoint;
  if (isDelivered) return since && healthy;
  if (!since) return { ...endpoint, failing_since: at };
  const hasFailedLong = at.getTime() - since.getTime() >= DISABLED_AFTER_MS;
  return hasFailedLong && !endpoint.disabled_at ? { ...endpoint, disabled_at: at } : undefined;
}

export function enabled({
  failing_since: _since,
  disabled_at: _at,
  ...endpoint
}: AccountEndpointDoc): AccountEndpointDoc {
  return endpoint;
}

export function disabledMail(url: string, baseUrl: string): { subject: string; text: string } {
  const { host } = new URL(url);
  return {
    subject: `Your webhook endpoint at ${host} was disabled`,
    text: [
      `Every attempt to deliver to your endpoint at ${host} has failed for seven days, so no more events are sent to it.`,
      "Events of the last 30 days are in GET /api/events. Repair the endpoint, then enable it with one click on your Webhooks page.",
      `Your webhooks: ${baseUrl}/account/callbacks`,
    ].join("\n\n"),
  };
}
