// Refunds payments at the provider, for as long as it takes: those that bought nothing, and those of refunded orders.
import type { App } from "../../kernel/app.ts";
import { knownProvider, PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import { nextGiveBackAt } from "./rules.ts";
import { saveGivenBack, saveNextGiveBack, takeDuePayment } from "./store.ts";

const LEASE_MS = 2 * 60_000;

/** One payment that is due. Answers whether there was one. */
export async function giveBackPayment(app: App): Promise<boolean> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const payment = await takeDuePayment(db, now, new Date(now.getTime() + LEASE_MS));
  if (!payment) return false;
  const { _id, provider, ref, attempts, order_id } = payment;
  try {
    const idempotencyKey = `give-back:${_id}`;
    await knownProvider(app.payments, provider).refund({ idempotencyKey, paymentRef: ref });
    await saveGivenBack(db, _id);
    app.log.info({ payment: _id, order_id }, "a payment was given back");
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    app.log.error(
      { err: error, payment: _id, order_id, attempts },
      "a payment could not be given back; trying again",
    );
    await saveNextGiveBack(db, _id, nextGiveBackAt(attempts, app.clock.now()));
  }
  return true;
}
