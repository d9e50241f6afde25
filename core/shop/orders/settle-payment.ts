// Writes a payment together with its order.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { dispute } from "./advance.ts";
import { returning } from "./rules.ts";
import { findPayment, type OrderDoc, type PaymentDoc, saveOrder, savePayment } from "./store.ts";

/** The result of an event, for the log and the record of it. */
export type PaymentOutcome = { readonly order: OrderDoc | null; readonly what: string };

export type PaymentContext = {
  readonly app: App;
  readonly tx: TxContext;
  readonly provider: string;
  readonly newOrderId: string;
};

/** The changed order, with its payment. If the payment was disputed before it was reported, what it bought is suspended immediately. */
export async function keepPaid(
  taking: PaymentContext,
  after: OrderDoc,
  taken: PaymentDoc,
): Promise<PaymentOutcome> {
  const { app, tx } = taking;
  if (after.state === "fulfilled") {
    const order = taken.dispute === "open" ? await dispute(app, tx, after) : after;
    await savePayment(app.mongo.db, { ...taken, state: "kept" }, tx);
    await saveOrder(app.mongo.db, order, tx);
    return { order, what: order.state };
  }
  await savePayment(app.mongo.db, returning(taken, after.reason ?? "", tx.now), tx);
  await saveOrder(app.mongo.db, after, tx);
  return { order: after, what: "refused" };
}

/** The stored payment, or else an empty one for an event that came first. */
export async function loadPayment({ app, tx, provider }: PaymentContext, ref: string): Promise<PaymentDoc> {
  const _id = `${provider}:${ref}`;
  return (
    (await findPayment(app.mongo.db, _id, tx)) ?? {
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
