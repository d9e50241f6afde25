// The Callbacks service: decode, call the verb, encode.
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { deliverySchema, testEventRequestSchema } from "../../../proto/resources/callback.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import type { CallbacksDefinition } from "../../../proto/types/atelier/v1/Callbacks.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { toDelivery } from "../webhooks/resource.ts";
import type { TestEvents } from "../webhooks/test-event.ts";
import { listDeliveries, listOwnDeliveries, redeliver } from "./deliveries.ts";

/** Those of events and endpoints are in core/studio/webhooks. */
export function callbacksHandlers(app: App, tests: TestEvents) {
  return {
    ListOwnDeliveries: async ({ job_id: jobId, ...asked }, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      const { rows, nextCursor } = await listOwnDeliveries(app, { accountId: account._id, jobId, ...asked });
      return { deliveries: toMessages(deliverySchema, rows.map(toDelivery)), next_cursor: nextCursor };
    },
    SendTestEvent: async (request, { caller }) => {
      const { callback_url, endpoint_id: endpointId } = request;
      const accountId = endpointId
        ? await signedInAccount(app, caller)
        : (await authenticate(app, caller, "write")).account._id;
      const to = endpointId
        ? { endpointId }
        : { url: parseRequest(testEventRequestSchema, { callback_url }).callback_url };
      return toMessage(deliverySchema, toDelivery(await tests.send(accountId, to)));
    },
    ListDeliveries: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      const deliveries = await listDeliveries(app, account._id, request.job_id);
      return { deliveries: toMessages(deliverySchema, deliveries.map(toDelivery)) };
    },
    Redeliver: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "write");
      return toMessage(deliverySchema, toDelivery(await redeliver(app, account._id, request.job_id)));
    },
  } satisfies Partial<Handlers<CallbacksDefinition>>;
}
