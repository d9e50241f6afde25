// The endpoints of an account: added, changed and removed by the signed-in owner, and disabled when they fail for long.
import { AppError } from "../../../proto/codes.ts";
import {
  type ENDPOINT_CHANGES,
  type EndpointResource,
  MAX_ENDPOINTS,
  newEndpointSchema,
} from "../../../proto/resources/event.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { checkCallbackUrl } from "../../base/outbound/address.ts";
import { switchEventsOn } from "../../identity/accounts/change-settings.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import { afterAttempt, disabledMail, enabled } from "./account-endpoint-rules.ts";
import { deliverAgain, deliveryById } from "./log.ts";
import { createSecret, firstSecret } from "./secret-rules.ts";
import { generateSecret } from "./secret.ts";
import {
  type AccountEndpointDoc,
  deleteEndpoint,
  findEndpoint,
  findEndpoints,
  saveEndpoint,
} from "./store-endpoints.ts";
import type { DeliveryDoc } from "./store.ts";

export type ShownEndpoint = { readonly endpoint: AccountEndpointDoc; readonly secret?: string };
type EndpointChange = (typeof ENDPOINT_CHANGES)[number];

export function toEndpoint(doc: AccountEndpointDoc): EndpointResource {
  return {
    endpoint_id: doc._id,
    url: doc.url,
    events: [...doc.events],
    status: doc.disabled_at ? "disabled" : "enabled",
    created_at: doc.created_at.toISOString(),
    failing_since: doc.failing_since?.toISOString() ?? null,
  };
}

/** From now on the account's events are recorded. Throws invalid_request and callback_url_refused. */
export async function addEndpoint(app: App, accountId: string, asked: unknown): Promise<ShownEndpoint> {
  const { url, events } = parseRequest(newEndpointSchema, asked);
  const refused = checkCallbackUrl(app.config, url);
  if (refused) throw refused;
  const { db } = app.mongo;
  const [now, secret] = [app.clock.now(), generateSecret()];
  const endpoint: AccountEndpointDoc = {
    _id: app.newId("whe"),
    account_id: accountId,
    url,
    events: [...new Set(events)],
    created_at: now,
    ...firstSecret(secret, true),
  };
  await inTx({ mongo: app.mongo, now }, async (tx) => {
    // This write comes first, so that of two additions at the same time the later one counts the earlier.
    await switchEventsOn(app, accountId, tx);
    const known = await findEndpoints(db, [accountId], tx);
    if (known.length >= MAX_ENDPOINTS) {
      const message = `An account can have ${MAX_ENDPOINTS} endpoints. Remove one first.`;
      throw new AppError("invalid_request", {
        message,
        issues: [{ path: "url", message: `is one more than ${MAX_ENDPOINTS}` }],
      });
    }
    await saveEndpoint(db, endpoint, tx);
  });
  return { endpoint, secret };
}

/** Rotation begins with a new secret that signs next to the old one. Throws not_found. */
export async function changeEndpoint(
  app: App,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  change: EndpointChange,
): Promise<ShownEndpoint> {
  const { db } = app.mongo;
  const [now, secret] = [app.clock.now(), generateSecret()];
  return inTx({ mongo: app.mongo, now }, async (tx) => {
    const endpoint = found(await findEndpoint(db, accountId, endpointId, tx));
    if (change === "remove") {
      await deleteEndpoint(db, accountId, endpointId, tx);
      return { endpoint };
    }
    const rotates = change === "rotate";
    const changed = rotates ? { ...endpoint, ...createSecret(endpoint, secret, now) } : enabled(endpoint);
    await saveEndpoint(db, changed, tx);
    return { endpoint: changed, ...(rotates && { secret }) };
  });
}

/** From now on the account's events are recorded. */
export async function watchEvents(app: App, accountId: string): Promise<void> {
  await inTx(app, (tx) => switchEventsOn(app, accountId, tx));
}

/** `deliveryId` as endpoints see it. Throws not_found, rate_limited, and invalid_request if it was delivered too often. */
export async function resendEvent(app: App, accountId: string, deliveryId: string): Promise<DeliveryDoc> {
  const delivery = await deliveryById(app, deliveryId);
  const { event_id: eventId, endpoint_id: endpointId, event } = delivery ?? {};
  if (delivery?.account_id !== accountId || eventId === undefined || endpointId === undefined || !event)
    throw new AppError("not_found", { message: "There is no such delivery to an endpoint of yours." });
  const { url } = await getEndpoint(app, accountId, endpointId);
  return deliverAgain(app, { accountId, eventId, endpointId, url, event });
}

/** Throws not_found alike for an endpoint of another account and for one that does not exist. */
export async function getEndpoint(
  app: App,
  accountId: string,
  endpointId: string,
): Promise<AccountEndpointDoc> {
  return found(await findEndpoint(app.mongo.db, accountId, endpointId));
}

function found(endpoint: AccountEndpointDoc | null): AccountEndpointDoc {
  if (endpoint) return endpoint;
  throw new AppError("not_found", { message: "There is no such endpoint. Reload your list of endpoints." });
}

/** Notes whether an attempt arrived. An endpoint that has failed for seven days is disabled, and its owner gets a mail. */
export async function noteAttempt(
  app: App,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  isDelivered: boolean,
): Promise<void> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const before = await findEndpoint(db, accountId, endpointId);
  if (!before || !afterAttempt(before, isDelivered, now)) return;
  const { email } = await getAccount(app, accountId);
  await inTx({ mongo: app.mongo, now }, async (tx) => {
    const endpoint = await findEndpoint(db, accountId, endpointId, tx);
    const after = endpoint && afterAttempt(endpoint, isDelivered, now);
    if (!after) return;
    await saveEndpoint(db, after, tx);
    if (endpoint.disabled_at || !after.disabled_at || email === "") return;
    const cause = { kind: "webhook.disabled", ref: `${endpointId}:${after.disabled_at.getTime()}` };
    await queueMail(app, tx, { accountId, to: email, ...disabledMail(after.url, app.baseUrl), ...cause });
  });
}
