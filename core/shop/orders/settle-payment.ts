// Writes a payment together with the order that it is for.
import { dispute, type Moment, refund } from "./advance.ts";
import { workDue } from "../../base/work/rules.ts";
import { REASONS } from "./rules.ts";
import { findPayment, type OrderDoc, type PaymentDoc, saveOrder, savePayment } from "./store.ts";

/** What came of an event, for the log and the record of it. */
export type Outcome = { readonly order: OrderDoc | null; readonly what: string };

export type Taking = Moment & { readonly provider: string; readonly newOrderId: string };

/** The order as it became, and the payment with it. One that was disputed before it was heard of rests what it bought at once. */
export async function keepPaid(
  taking: Taking,
  after: OrderDoc,
  taken: PaymentDoc,
  isReturned: boolean,
): Promise<Outcome> {
  const { app, session, at } = taking;
  if (after.state === "fulfilled") {
    const isDisputed = taken.dispute === "open" || taken.dispute === "lost";
    let order = isDisputed ? await dispute(taking, after) : after;
    if (taken.dispute === "lost") order = await loseDispute(taking, order);
    await savePayment(
      app.mongo.db,
      { ...taken, state: taken.dispute === "lost" ? "given_back" : "kept" },
      session,
    );
    await saveOrder(app.mongo.db, order, session);
    return { order, what: order.state };
  }
  await savePayment(
    app.mongo.db,
    isReturned ? { ...taken, reason: after.reason } : returning(taken, after.reason ?? "", at),
    session,
  );
  await saveOrder(app.mongo.db, after, session);
  return { order: after, what: "refused" };
}

export async function loseDispute(taking: Taking, order: OrderDoc): Promise<OrderDoc> {
  return refund(taking, order, { reason: REASONS.disputeLost, step: "dispute_lost" });
}

/** What is stored of the payment, else one of which nothing is known but that there was news of it. */
export async function loadPayment({ app, session, provider }: Taking, ref: string): Promise<PaymentDoc> {
  const _id = `${provider}:${ref}`;
  return (
    (await findPayment(app.mongo.db, _id, session)) ?? {
      _id,
      provider,
      ref,
      order_id: null,
      account_id: null,
      amount_cents: 0,
      currency: "",
      paid_at: null,
      state: "early",
      dispute: null,
      reason: null,
    }
  );
}

/** A payment that a worker gives back, see give-back.ts. */
export function returning(payment: PaymentDoc, reason: string, at: Date): PaymentDoc {
  return { ...payment, state: "to_give_back", reason, work: workDue(at) };
}
