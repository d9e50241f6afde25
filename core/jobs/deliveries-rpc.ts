// The Callbacks service: decode, call the verb, encode.
import type { CallbacksDefinition } from "../../proto/types/atelier/v1/Callbacks.ts";
import type { DeliveryInput } from "../../proto/types/atelier/v1/Delivery.ts";
import { authenticate } from "../accounts/authenticate.ts";
import type { App } from "../app.ts";
import type { Handlers } from "../rpc.ts";
import { messageId, redeliveryNumber } from "../callbacks/delivery-id.ts";
import type { DeliveryDoc } from "../callbacks/store.ts";
import { listDeliveries, redeliver } from "./deliveries.ts";

export function callbacksHandlers(app: App): Handlers<CallbacksDefinition> {
  return {
    ListDeliveries: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      const deliveries = await listDeliveries(app, account._id, request.job_id);
      return { deliveries: deliveries.map(deliveryMessage) };
    },
    Redeliver: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "write");
      return deliveryMessage(await redeliver(app, account._id, request.job_id));
    },
  };
}

function deliveryMessage(doc: DeliveryDoc): DeliveryInput {
  return {
    delivery_id: messageId(doc.job_id),
    redelivery: redeliveryNumber(doc),
    job_id: doc.job_id,
    event: doc.event,
    url: doc.url,
    status: doc.status,
    created_at: doc.created_at.toISOString(),
    // While an attempt is being made none is planned: the date kept meanwhile is the end of its lease.
    ...(doc.next_attempt_at && !doc.lease && { next_attempt_at: doc.next_attempt_at.toISOString() }),
    attempts: doc.attempts.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      http_status: attempt.http_status ?? 0,
      duration_ms: attempt.duration_ms,
      error: attempt.error ?? "",
    })),
  };
}
