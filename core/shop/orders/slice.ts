// The parts of orders that processes need.
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { listOrders } from "./list-orders.ts";
import { measurePayments } from "./measure.ts";
import { seedPacks } from "./packs.ts";
import { checkOpenOrder } from "./reconcile.ts";
import { refundPayment } from "./refunds.ts";
import { toOrder } from "./resource.ts";
import { ordersHandlers } from "./rpc.ts";
import { CODE_COLLECTIONS } from "./store-codes.ts";
import { eraseOrders, ORDER_COLLECTIONS } from "./store.ts";

const POLL_MS = 1_000;

export const ordersSlice: Slice = {
  name: "shop/orders",
  collections: [...ORDER_COLLECTIONS, ...CODE_COLLECTIONS],
  seed: seedPacks,
  serve: (app) => ({ Orders: ordersHandlers(app) }),
  observe: (app) => {
    app.metrics.gauge(
      "payments_to_give_back",
      "Payments whose refund is pending.",
      async () => (await measurePayments(app)).refundPending,
    );
    app.metrics.gauge(
      "payments_unclaimed",
      "Payments that name no order that is known here.",
      async () => (await measurePayments(app)).unclaimed,
    );
  },
  owned: {
    export: {
      lists: {
        orders: async (app, accountId, page) => mapPage(await listOrders(app, { accountId }, page), toOrder),
      },
    },
    erase: {
      afterClosing: ({ mongo }, accountId) => eraseOrders(mongo.db, accountId),
    },
  },
  loops: [
    { what: "ask for open orders", everyMs: POLL_MS, drain: (app) => checkOpenOrder(app) },
    { what: "refund payments", everyMs: POLL_MS, drain: (app) => refundPayment(app) },
  ],
};
