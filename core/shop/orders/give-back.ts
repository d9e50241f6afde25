// Refunds payments at the provider, for as long as it takes: those that bought nothing, and those of refunded orders.
import type { App } from "../../kernel/app.ts";
import { knownProvider, PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import { again, attemptsOf, done, take } from "../../base/work/queue.ts";
import { retryAt } from "../../base/work/rules.ts";
import { GIVE_BACK_SCHEDULE } from "./rules.ts";
import { payments } from "./store.ts";

const LEASE_MS = 2 * 60_000;

/** Refunds one payment that is due. Returns whether there was one. */
export async function refundPayment(app: App): Promise<boolean> {
  const queue = payments(app.mongo.db);
  const [payment] = await take(queue, { now: app.clock.now(), leaseMs: LEASE_MS, limit: 1 });
  if (!payment) return false;
  const { _id, provider, ref, order_id } = payment;
  // The previous release notes what the provider reports only in the state.
  if (payment.state !== "to_give_back") return done(queue, payment);
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
    await again(queue, payment, retryAt(GIVE_BACK_SCHEDULE, attempts, { endedAt: app.clock.now() }));
  }
  return true;
}
