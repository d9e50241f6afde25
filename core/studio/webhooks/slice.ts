// What a process needs to know about webhooks.
import { shownFields } from "../../base/documents/fields.ts";
import type { App } from "../../kernel/app.ts";
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { createDeliverer, type DelivererOptions } from "./deliver.ts";
import { callbackSecretHandlers, endpointHandlers } from "./endpoint-rpc.ts";
import { listDeliveriesApart } from "./log.ts";
import { exportedDelivery } from "./resource.ts";
import { getCallbackSecretState } from "./secret.ts";
import { deleteEndpoints, ENDPOINT_COLLECTION, ENDPOINT_FIELDS, findEndpoints } from "./store-endpoints.ts";
import { CALLBACK_COLLECTIONS, deleteSecrets } from "./store.ts";

type Ended = Pick<DelivererOptions, "loadJob" | "loadWorkflow">;

export const webhooksSlice: Slice<App, unknown, Ended> = {
  name: "studio/webhooks",
  collections: [...CALLBACK_COLLECTIONS, ENDPOINT_COLLECTION],
  serve: (app) => ({ Accounts: callbackSecretHandlers(app), Callbacks: endpointHandlers(app) }),
  owned: {
    export: {
      parts: async (app, accountId) => ({
        callback_secret: { made: (await getCallbackSecretState(app, accountId)).known },
        webhook_endpoints: (await findEndpoints(app.mongo.db, [accountId])).map((endpoint) => ({
          endpoint_id: endpoint._id,
          ...shownFields(endpoint, ENDPOINT_FIELDS),
        })),
      }),
      lists: {
        /** Deliveries of jobs and workflows are archived with those. */
        test_events: async (app, accountId, page) =>
          mapPage(await listDeliveriesApart(app, "tests_newest", accountId, page), exportedDelivery),
        event_deliveries: async (app, accountId, page) =>
          mapPage(await listDeliveriesApart(app, "events_newest", accountId, page), exportedDelivery),
      },
    },
    erase: {
      closing: async ({ mongo: { db } }, { accountId }, tx) => {
        await deleteSecrets(db, accountId, tx);
        await deleteEndpoints(db, accountId, tx);
      },
    },
  },
  runners: [{ what: "deliver webhooks", start: startDelivering }],
};

function startDelivering(app: App, ended: Ended): { stop(): Promise<void> } {
  const deliverer = createDeliverer(app, ended);
  const onDeliverable = () => deliverer.wake();
  app.signals.on("deliverable", onDeliverable);
  deliverer.start();
  return {
    stop: async () => {
      app.signals.off("deliverable", onDeliverable);
      await deliverer.stop();
    },
  };
}
