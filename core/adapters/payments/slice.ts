// The parts of payments that processes need. It is below kernel/slice.ts: core/entry/slices.ts checks its type.
import type { Mongo } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { deliverDemoEvent } from "./deliver-demo.ts";
import type { OwnPayments } from "./registry.ts";
import { deleteCustomer, eraseDemo, PAYMENT_COLLECTIONS } from "./store.ts";

type PaymentsApp = Parameters<typeof deliverDemoEvent>[0] & { readonly payments: OwnPayments };

const POLL_MS = 1_000;
const isDemo = ({ payments }: PaymentsApp) => payments.demo !== undefined;

export const paymentsSlice = {
  name: "adapters/payments",
  collections: PAYMENT_COLLECTIONS,
  owned: {
    erase: {
      /** Data that the provider must keep about its payments stay there. */
      closing: ({ mongo }: { mongo: Mongo }, { accountId }: { accountId: string }, tx: TxContext) =>
        deleteCustomer(mongo.db, accountId, tx),
      afterClosing: ({ mongo }: { mongo: Mongo }, accountId: string) => eraseDemo(mongo.db, accountId),
    },
  },
  loops: [
    {
      what: "send events of the demo payment provider",
      everyMs: POLL_MS,
      when: isDemo,
      drain: (app: PaymentsApp, signal: AbortSignal) => deliverDemoEvent(app, signal),
    },
    {
      what: "renew subscriptions at the demo payment provider",
      everyMs: POLL_MS,
      when: isDemo,
      drain: async ({ payments }: PaymentsApp) => (await payments.demo?.renewDue()) ?? false,
    },
  ],
};
