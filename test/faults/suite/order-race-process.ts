// Places, pays, cancels, refunds, fulfils and polls orders in parallel without an end, for a test that kills it midway. Reports each step
// to its parent. Settings come from the environment, the first orders from its arguments. The test is the bank and pays.
import { setTimeout as sleep } from "node:timers/promises";
import { PaymentProviderFailed } from "../../../core/adapters/payments/provider.ts";
import { isPassing } from "../../../core/base/mongo/errors.ts";
import { cancelOrder, startCheckout } from "../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../core/shop/orders/list-orders.ts";
import { placeOrder } from "../../../core/shop/orders/place-order.ts";
import { checkOpenOrder } from "../../../core/shop/orders/reconcile.ts";
import { refundOrder, refundPayment } from "../../../core/shop/orders/refunds.ts";
import { takeCheckout } from "../../../core/shop/orders/take-event.ts";
import { AppError } from "../../../proto/codes.ts";
import { openProcess } from "./open-process.ts";

const SPREAD_MS = 40;
/** Each new order replaces the oldest, which only the test changes from then on. */
const PLACE_EVERY = 4;
/** The first time in a life and every n-th after it, because by chance a short life has none. Most orders are paid and kept. */
const CANCEL_EVERY = 6;
/** The same for fulfilled orders. */
const REFUND_EVERY = 7;

const orderIds = process.argv.slice(2);
const { app } = await openProcess("shop");
const { current } = app.payments;
if (!current) throw new Error("this is about a shop that takes payments");
const provider = current;

/** At the current price. */
async function go(orderId: string, expectedCents?: number): Promise<void> {
  const { account_id, amount_cents } = await findAnyOrder(app, orderId);
  try {
    await startCheckout(app, account_id, { orderId, expectedCents: expectedCents ?? amount_cents });
  } catch (error) {
    const price = error instanceof AppError && error.code === "price_changed" ? error.numbers : undefined;
    if (!price) throw error;
    await go(orderId, price["amount_cents"]);
  }
}

let cancels = 0;

async function cancel(orderId: string): Promise<void> {
  if (cancels++ % CANCEL_EVERY === 0)
    await cancelOrder(app, (await findAnyOrder(app, orderId)).account_id, orderId);
}

let seenFulfilled = 0;

async function refund(orderId: string): Promise<void> {
  const { state } = await findAnyOrder(app, orderId);
  if (state === "fulfilled" && seenFulfilled++ % REFUND_EVERY === 0)
    await refundOrder(app, orderId, "Not wanted.");
}

async function fulfil(orderId: string): Promise<void> {
  const order = await findAnyOrder(app, orderId);
  if (order.provider_ref !== null)
    await takeCheckout(app, order, await provider.fetchCheckout(order.provider_ref));
}

async function look(orderId: string): Promise<void> {
  await app.mongo.db
    .collection("orders")
    .updateOne(
      { _id: orderId as never, "work.due_at": { $ne: null } },
      { $set: { "work.due_at": new Date(1) } },
    );
  await checkOpenOrder(app);
}

let places = 0;

/** Another order of the same account replaces this one. */
async function place(orderId: string): Promise<void> {
  if (places++ % PLACE_EVERY !== 0) return;
  const { account_id, amount_cents } = await findAnyOrder(app, orderId);
  const wanted = { kind: "credits", pack: "small" } as const;
  const idempotencyKey = app.newId("form");
  const { _id } = await placeOrder(app, account_id, { idempotencyKey, expectedCents: amount_cents, wanted });
  orderIds.shift();
  orderIds.push(_id);
}

async function act(what: (orderId: string) => Promise<unknown>, orderId: string): Promise<void> {
  await sleep(Math.random() * SPREAD_MS);
  await what(orderId).catch((error: unknown) => {
    // Refusals and lost conflicts are expected in a race; any other error is a bug.
    const isExpected = error instanceof AppError || error instanceof PaymentProviderFailed;
    if (!isExpected && !isPassing(error)) throw error;
  });
  process.send?.("done");
}

const ACTS = [place, go, go, go, cancel, refund, fulfil, fulfil, look, () => refundPayment(app)];

process.send?.("up");
for (;;) await Promise.all(orderIds.flatMap((orderId) => ACTS.map((what) => act(what, orderId))));
