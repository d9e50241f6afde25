// The Callbacks service: decode, call the verb, encode.
import { toMessage, toMessages } from "../../proto/codec.ts";
import { deliverySchema } from "../../proto/resources/callback.ts";
import type { CallbacksDefinition } from "../../proto/types/atelier/v1/Callbacks.ts";
import { authenticate } from "../accounts/authenticate.ts";
import type { App } from "../app.ts";
import type { Handlers } from "../rpc.ts";
import { toDelivery } from "../callbacks/resource.ts";
import { listDeliveries, redeliver } from "./deliveries.ts";

export function callbacksHandlers(app: App): Handlers<CallbacksDefinition> {
  return {
    ListDeliveries: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      const deliveries = await listDeliveries(app, account._id, request.job_id);
      return { deliveries: toMessages(deliverySchema, deliveries.map(toDelivery)) };
    },
    Redeliver: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "write");
      return toMessage(deliverySchema, toDelivery(await redeliver(app, account._id, request.job_id)));
    },
  };
}
