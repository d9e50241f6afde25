// Refunds: an operator ends what an order bought, and a worker returns payments at the provider for as long as it takes, also those that
// bought nothing.
import { AppError } from "../../../proto/codes.ts";
import { knownProvider, PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { again, attemptsOf, done, release, take } from "../../base/work/queue.ts";
import { retryAt } from "../../base/work/rules.ts";
import type { App } from "../../kernel/app.ts";
import { refund } from "./advance.ts";
import { countSteps } from "./measure.ts";
import { REFUND_SCHEDULE, returning } from "./rules.ts";
import { findOrder, findPaymentOf, type OrderDoc, payments, saveOrder, savePayment } from "./store.ts";

const LEASE_MS = 2 * 60_000;
/** How often a payment whose refund waits for the decision of a dispute is looked at. */
const WHILE_DISPUTED_MS = 60 * 60_000;

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

/** Refunds one payment that is due. Returns whether there was one. */
export async function refundPayment(app: App): Promise<boolean> {
  const queue = payments(app.mongo.db);
  const [payment] = await take(queue, { now: app.clock.now(), leaseMs: LEASE_MS, limit: 1 });
  if (!payment) return false;
  const { _id, provider, ref, order_id, dispute } = payment;
  // The bank has taken the money, so the provider refuses until the dispute is decided. If it is lost, nothing is left to refund.
  if (dispute === "open") {
    await release(queue, payment, new Date(app.clock.now().getTime() + WHILE_DISPUTED_MS));
    return true;
  }
  try {
    const idempotencyKey = `give-back:${_id}`;
    await knownProvider(app.payments, provider).refund({ idempotencyKey, paymentRef: ref });
    await done(queue, payment, { $set: { state: "given_back" } });
    app.log.info({ payment: _id, order_id }, "a payment was refunded");
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    const attempts = attemptsOf(payment) + 1;
    app.log.error(
      { err: error, payment: _id, order_id, attempts },
      "a payment could not be refunded; trying again",
    );
    await again(queue, payment, retryAt(REFUND_SCHEDULE, attempts, { endedAt: app.clock.now() }));
  }
  return true;
}
