// What a process needs to know about webhooks.
import type { App } from "../../kernel/app.ts";
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { createDeliverer, type DelivererOptions } from "./deliver.ts";
import { listTestEvents } from "./log.ts";
import { exportedDelivery } from "./resource.ts";
import { getCallbackSecretState } from "./secret.ts";
import { callbackSecretHandlers } from "./secret-rpc.ts";
import { CALLBACK_COLLECTIONS, deleteSecrets } from "./store.ts";

type Ended = Pick<DelivererOptions, "loadJob" | "loadWorkflow">;

export const webhooksSlice: Slice<App, unknown, Ended> = {
  name: "studio/webhooks",
  collections: CALLBACK_COLLECTIONS,
  serve: (app) => ({ Accounts: callbackSecretHandlers(app) }),
  owned: {
    export: {
      parts: async (app, accountId) => ({
        callback_secret: { made: (await getCallbackSecretState(app, accountId)).known },
      }),
      lists: {
        /** Deliveries of jobs and workflows are archived with those. */
        test_events: async (app, accountId, page) =>
          mapPage(await listTestEvents(app, accountId, page), exportedDelivery),
      },
    },
    erase: { closing: (app, { accountId }, tx) => deleteSecrets(app.mongo.db, accountId, tx) },
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
