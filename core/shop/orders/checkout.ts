// Sends a person to the payment provider for an open order, and cancels an order that is not to be paid. The provider is called outside any
// transaction; its answer is handled like its events.
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, type AppErrorDetails } from "../../../proto/codes.ts";
import { PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { workDue } from "../../base/work/rules.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { payAndFulfil } from "./advance.ts";
import { changeOrder } from "./change-order.ts";
import { liveCheckouts, openCheckout } from "./checkout-rules.ts";
import { findOwnOrder } from "./list-orders.ts";
import { countSteps } from "./measure.ts";
import { checkPrice } from "./place-order.ts";
import { codeOf } from "./price-rules.ts";
import { closeCheckout, learn, lookAtCheckout, makeCheckout } from "./provider-checkout.ts";
import { type Quote, quote, wantedOf } from "./quote.ts";
import { addNote, nextCheckAt, priceNote, REASONS, takeStep } from "./rules.ts";
import { findOrder, type OrderCheckout, type OrderDoc, saveOrder } from "./store.ts";
import { takeCheckout } from "./take-event.ts";

const WHILE_PENDING = "be paid again while the bank decides";

export type CheckoutPage = { order: OrderDoc; url: string };

/** Another process changes the order in each round, so a few are enough. */
const MAX_ROUNDS = 20;
const PAUSE_MS = 20;
/**
 * For about half a second, others wait for the result of a request to the provider before they repeat it, because its process may be dead.
 */
const RETRY_ROUNDS = 9;

/**
 * Returns the payment page. A changed price needs confirmation: with the new one as `expectedCents` the order takes it. An order has one
 * open checkout: another is opened only after the provider has closed the one before. Throws not_found, order_not_payable, price_changed,
 * service_unavailable, and what quote throws.
 */
export async function startCheckout(
  app: App,
  accountId: string,
  wanted: { orderId: string; expectedCents: number },
): Promise<CheckoutPage> {
  return inRounds((round) => tryCheckout(app, accountId, wanted, round));
}

/** Undefined if the order has changed in the meantime, or one step is done: then the next round begins with the current order. */
async function tryCheckout(
  app: App,
  accountId: string,
  { orderId, expectedCents }: { orderId: string; expectedCents: number },
  round: number,
): Promise<CheckoutPage | undefined> {
  const order = await findOwnOrder(app, accountId, orderId);
  if (order.state !== "placed") throw notPayable(order, "be paid");
  if (order.expires_at <= app.clock.now()) throw notPayable(order, "be paid any more");
  const account = await getAccount(app, accountId);
  const quoted = await quote(app, account, wantedOf(order), codeOf(order.reductions ?? []));
  checkPrice(quoted, expectedCents);
  const live = liveCheckouts(order);
  const kept = live.findLast(({ state, amount_cents }) => state === "open" && amount_cents === expectedCents);
  for (const checkout of live.filter((one) => one !== kept)) {
    const { order: after, what } = await ask(app, checkout, () => closeCheckout(app, order, checkout));
    if (what === "paid") return { order: after, url: "" };
    if (what === "pending") throw notPayable(order, WHILE_PENDING);
  }
  if (live.length > 1 || (live.length === 1 && !kept)) return undefined;
  if (kept?.ref === null && round < RETRY_ROUNDS) return undefined;
  if (quoted.cents === 0) return giveFree(app, order, quoted);
  return kept ? goTo(app, order, kept) : begin(app, order, quoted);
}

/** Fulfils an order of which nothing is left to pay, if it has not changed since it was read. */
async function giveFree(
  app: App,
  read: OrderDoc,
  { item, reductions }: Quote,
): Promise<CheckoutPage | undefined> {
  const at = app.clock.now();
  const order = await inTx({ mongo: app.mongo, now: at }, async (tx) => {
    const now = await findOrder(app.mongo.db, read._id, tx);
    const isRead = now?.amount_cents === read.amount_cents && liveCheckouts(now).length === 0;
    if (now?.state !== "placed" || !isRead) return undefined;
    const made = await payAndFulfil(app, tx, { ...now, items: [item], reductions, amount_cents: 0 });
    if (made.state === "refunded") throw new AppError("not_for_sale", { message: made.reason ?? "" });
    await saveOrder(app.mongo.db, made, tx);
    return made;
  });
  if (!order) return undefined;
  countSteps(app, order, at);
  return { order, url: "" };
}

/** Leads to the checkout that the order has. */
async function goTo(app: App, order: OrderDoc, checkout: OrderCheckout): Promise<CheckoutPage | undefined> {
  if (checkout.ref === null) {
    await ask(app, checkout, () => makeCheckout(app, order, checkout));
    return undefined;
  }
  const open = await ask(app, checkout, () => lookAtCheckout(app, checkout));
  if (open?.state === "paid") return { order: await takeCheckout(app, order, open), url: "" };
  if (open?.state === "pending") throw notPayable(order, WHILE_PENDING);
  if (open && open.url !== null) return { order, url: open.url };
  await learn(app, order, checkout, { state: "closed" });
  return undefined;
}

/** Leads to a new one. It is stored before the provider is asked, and only if the order has not changed since it was read. */
async function begin(
  app: App,
  read: OrderDoc,
  { item, reductions, cents: amount_cents }: Quote,
): Promise<CheckoutPage | undefined> {
  const { current } = app.payments;
  if (!current) throw new AppError("not_for_sale");
  const { order, isChanged } = await changeOrder(app, read, (now, at) => {
    const isRead = now.checkouts === read.checkouts && now.amount_cents === read.amount_cents;
    if (now.state !== "placed" || !isRead || liveCheckouts(now).length > 0) return undefined;
    const opened = openCheckout(now, { provider: current.name, amount_cents, at });
    const priced = {
      ...opened,
      items: [item],
      reductions,
      amount_cents,
      work: workDue(nextCheckAt(opened, 0, at)),
    };
    return amount_cents === now.amount_cents
      ? priced
      : addNote(priced, at, priceNote(now.amount_cents, amount_cents));
  });
  const checkout = liveCheckouts(order).at(-1);
  if (!isChanged || !checkout) return undefined;
  const { order: after, made } = await ask(app, checkout, () => makeCheckout(app, order, checkout));
  if (!made) throw nothingToPay();
  // It was closed in the meantime, if someone has cancelled the order.
  const isOpen = liveCheckouts(after).some(({ ref, state }) => ref === made.ref && state === "open");
  return isOpen && made.url !== null ? { order: after, url: made.url } : undefined;
}

/** Its checkouts are closed first. Throws not_found, order_conflict if it is paid or over, and service_unavailable. */
export async function cancelOrder(app: App, accountId: string, orderId: string): Promise<OrderDoc> {
  return inRounds(async () => {
    const order = await findOwnOrder(app, accountId, orderId);
    if (order.state === "cancelled") return order;
    if (order.state !== "placed") throw conflict(order, "be cancelled");
    await closeCheckouts(app, order, conflict, "be cancelled");
    const cancelled = await changeOrder(app, order, (now, at) =>
      now.state === "placed" && liveCheckouts(now).length === 0
        ? takeStep(now, "cancelled", { at, note: REASONS.cancelled })
        : undefined,
    );
    return cancelled.isChanged ? cancelled.order : undefined;
  });
}

/** Throws `refuse` for an order that is paid by now, or whose payment is pending at the bank. */
export async function closeCheckouts(
  app: App,
  order: OrderDoc,
  refuse: (order: OrderDoc, what: string) => AppError,
  what: string,
): Promise<void> {
  for (const checkout of liveCheckouts(order)) {
    const { order: after, what: state } = await ask(app, checkout, () => closeCheckout(app, order, checkout));
    if (state === "paid") throw refuse(after, what);
    if (state === "pending") throw refuse(order, `${what} while the bank decides`);
  }
}

/** Repeats rounds until one returns a result; each begins with the current order. */
export async function inRounds<T>(tryRound: (round: number) => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const done = await tryRound(round);
    if (done !== undefined) return done;
    // Others are working on the same order.
    await sleep(Math.random() * PAUSE_MS * round);
  }
  throw new AppError("service_unavailable", {
    message: "The order is being changed from elsewhere at the moment. Nothing was charged.",
    retryAfterSeconds: 1,
  });
}

/** For the buyer, a provider that does not answer is unavailable; one that does not accept this installation sells nothing here. */
async function ask<T>(app: App, { provider }: OrderCheckout, question: () => Promise<T>): Promise<T> {
  if (!app.payments.known.has(provider))
    throw new AppError("service_unavailable", {
      message: "The payment provider of this order is not set up here any more.",
      hint: "Write to support, and name the order.",
    });
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    if (error.why === "setup") throw nothingToPay();
    throw new AppError("service_unavailable", {
      message: "The payment provider does not answer at the moment. Nothing was charged.",
      retryAfterSeconds: 10,
    });
  }
}

function nothingToPay(): AppError {
  return new AppError("not_for_sale", {
    message: "Nothing can be paid for here at the moment. Nothing was charged.",
    hint: "Try again later, or write to support.",
  });
}

export function notPayable(order: OrderDoc, what: string): AppError {
  return new AppError("order_not_payable", refusal(order, what));
}

function conflict(order: OrderDoc, what: string): AppError {
  return new AppError("order_conflict", refusal(order, what));
}

function refusal({ state }: OrderDoc, what: string): Pick<AppErrorDetails, "message" | "issues"> {
  const is = `is ${state} and cannot ${what}`;
  return { message: `The order ${is}.`, issues: [{ path: "order_id", message: is }] };
}
