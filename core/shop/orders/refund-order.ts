// Refunds an order for an operator: what was bought ends now, and a worker refunds the payment.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { refund } from "./advance.ts";
import { countSteps } from "./measure.ts";
import { findOrder, findPaymentOf, type OrderDoc, saveOrder, savePayment } from "./store.ts";
import { returning } from "./rules.ts";

/** The buyer gets the `reason`. Throws not_found, and order_conflict for an order that is not fulfilled: a second refund is refused. */
export async function refundOrder(app: App, orderId: string, reason: string): Promise<OrderDoc> {
  const { db } = app.mongo;
  const at = app.clock.now();
  const refunded = await inTx({ mongo: app.mongo, now: at }, async (tx) => {
    const order = await findOrder(db, orderId, tx);
    if (!order) throw new AppError("not_found", { message: "There is no such order." });
    if (order.state !== "fulfilled")
      throw new AppError("order_conflict", {
        message: `The order is ${order.state}; only a fulfilled one can be refunded, once.`,
        issues: [
          { path: "order_id", message: `is ${order.state}, and only a fulfilled one can be refunded` },
        ],
      });
    const after = await refund(app, tx, order, { reason });
    await saveOrder(db, after, tx);
    const payment = await findPaymentOf(db, order, tx);
    if (payment) await savePayment(db, returning(payment, reason, tx.now), tx);
    return after;
  });
  countSteps(app, refunded, at);
  return refunded;
}
