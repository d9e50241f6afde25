// Sends one `test` event to an address, immediately and just like any callback, and keeps it in the log, so that an owner can test a
// receiver.
import type { Agent } from "undici";
import { AppError } from "../../../proto/codes.ts";
import { TEST_EVENT } from "../../../proto/resources/callback.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { addressPolicy, checkCallbackUrl } from "../../base/outbound/address.ts";
import { createCheckedAgent, createResolver, type Resolve } from "../../base/outbound/dial.ts";
import type { App } from "../../kernel/app.ts";
import { getEndpoint } from "./account-endpoints.ts";
import { prepareAttempt, reported, sendAttempt } from "./attempt.ts";
import { messageId } from "./delivery-id.ts";
import { signedForEndpoint } from "./event-message.ts";
import { countResend, MAX_REDELIVERIES_A_MINUTE, endpointOf } from "./rules.ts";
import { findSigningSecrets } from "./secret.ts";
import { type DeliveryDoc, findSecret, insertDeliveries, saveRedeliveries } from "./store.ts";

const ATTEMPT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 4_000;
const CONNECTIONS = 4;

/** An address, or an endpoint of the account. */
export type TestedAddress = { readonly url: string } | { readonly endpointId: string };

export type TestEvents = {
  /** Errors: callback_url_refused, rate_limited, not_found. The receiver's answer, or the lack of one, is the result. */
  send(accountId: string, to: TestedAddress): Promise<DeliveryDoc>;
  close(): Promise<void>;
};

export function createTestEvents(
  app: App,
  resolve: Resolve = createResolver(addressPolicy(app.config)),
): TestEvents {
  const agent = createCheckedAgent({
    policy: addressPolicy(app.config),
    resolve,
    connections: CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  const closing = new AbortController();
  return {
    send: (accountId, to) => sendTest(app, agent, closing.signal, accountId, to),
    close: async () => {
      closing.abort(new AppError("service_unavailable", { retryAfterSeconds: 1 }));
      await agent.destroy();
    },
  };
}

async function sendTest(
  app: App,
  agent: Agent,
  signal: AbortSignal,
  accountId: string,
  to: TestedAddress,
): Promise<DeliveryDoc> {
  const endpoint = "endpointId" in to ? await getEndpoint(app, accountId, to.endpointId) : undefined;
  const url = "url" in to ? to.url : (endpoint?.url ?? "");
  const refused = checkCallbackUrl(app.config, url);
  if (refused) throw refused;
  const at = app.clock.now();
  await countTest(app, accountId, at);
  const row = {
    ...newTest(app.newId("evt"), { accountId, url, at }),
    ...(endpoint && { endpoint_id: endpoint._id }),
  };
  const prepared = endpoint
    ? await signedForEndpoint(app, row, endpoint, { data: {} }, at)
    : prepareAttempt(row, reported({ job: null }), await findSigningSecrets(app, accountId, at), at);
  const sent = await sendAttempt(agent, prepared, {
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    signal,
    clock: app.clock,
  });
  const attempt = {
    number: 1,
    at,
    http_status: sent.httpStatus,
    duration_ms: sent.durationMs,
    error: sent.error,
  };
  const ended: DeliveryDoc = {
    ...row,
    status: sent.error === null ? "delivered" : "failed",
    attempt_count: 1,
    attempts: [attempt],
  };
  await insertDeliveries(app.mongo.db, [ended]);
  return ended;
}

/** Counted with redeliveries: both send requests to an address that someone else may own. */
async function countTest(app: App, accountId: string, now: Date): Promise<void> {
  const { db } = app.mongo;
  // The account's count, which is written below, is stored with its secret.
  await findSigningSecrets(app, accountId, now);
  await inTx({ mongo: app.mongo, now }, async (tx) => {
    const counted = countResend((await findSecret(db, accountId, tx))?.redeliveries, now);
    if ("waitSeconds" in counted) {
      const message = `An account may ask for ${MAX_REDELIVERIES_A_MINUTE} test events and resends a minute. Try again in ${counted.waitSeconds} seconds.`;
      throw new AppError("rate_limited", { message, retryAfterSeconds: counted.waitSeconds });
    }
    await saveRedeliveries(db, accountId, counted, tx);
  });
}

/** A row that no deliverer takes: it has had its only attempt by the time it is stored. */
function newTest(
  id: string,
  { accountId, url, at }: { accountId: string; url: string; at: Date },
): DeliveryDoc {
  return {
    _id: messageId(id),
    account_id: accountId,
    job_id: null,
    event: TEST_EVENT,
    url,
    host: endpointOf(url),
    status: "pending",
    created_at: at,
    next_attempt_at: null,
    attempt_count: 0,
    attempts: [],
    lease: null,
  };
}
