// Places an order: once for each form, at the price that the buyer saw. An order that costs nothing is fulfilled in the same transaction.
import { AppError, invalidField } from "../../../proto/codes.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { workDue } from "../../base/work/rules.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { payAndFulfil } from "./advance.ts";
import { liveCheckouts } from "./checkout-rules.ts";
import { itemOf } from "./fulfil.ts";
import { countSteps } from "./measure.ts";
import { codeOf, reducedPrice } from "./price-rules.ts";
import { type Quote, quote, type WantedItem, wantedOf } from "./quote.ts";
import { addNote, OPEN_MS, priceNote } from "./rules.ts";
import { findOpenOrder, findOrderByKey, insertOrder, type OrderDoc, saveOrder } from "./store.ts";

export type NewOrder = { idempotencyKey: string; expectedCents: number; wanted: WantedItem };

const MAX_KEY_LENGTH = 255;
/** An order with all its keys fits well into one document. */
const MAX_KEYS = 1_000;

/**
 * Returns the order of this key: the one that was returned for it before, else the account's open order for the same item, else a new one.
 * Throws invalid_request, idempotency_mismatch, order_conflict, price_changed, and what quote throws.
 */
export async function placeOrder(
  app: App,
  accountId: string,
  { idempotencyKey, expectedCents, wanted }: NewOrder,
): Promise<OrderDoc> {
  if (idempotencyKey === "" || idempotencyKey.length > MAX_KEY_LENGTH)
    throw invalidField("idempotency_key", `must have 1 to ${MAX_KEY_LENGTH} characters`);
  const { db } = app.mongo;
  const earlier = await findOrderByKey(db, accountId, idempotencyKey);
  if (earlier) return replay(earlier, wanted);
  const quoted = await quote(app, await getAccount(app, accountId), wanted);
  checkPrice(quoted, expectedCents);
  const order = newOrder(app, accountId, { idempotencyKey, wanted }, quoted);
  const at = order.created_at;
  const place = () =>
    inTx({ mongo: app.mongo, now: at }, async (tx) => {
      const known = await findOrderByKey(db, accountId, idempotencyKey, tx);
      if (known) return replay(known, wanted);
      if (order.amount_cents > 0) return reuseOrInsert(app, order, quoted, tx);
      const made = await payAndFulfil(app, tx, order);
      if (made.state === "refunded") throw new AppError("not_for_sale", { message: made.reason ?? "" });
      await insertOrder(db, made, tx);
      return made;
    });
  // Of two orders that are placed at the same time one finds the other's.
  const placed = await place().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return place();
  });
  if (placed._id === order._id) countSteps(app, placed, at);
  return placed;
}

/** The account's open order for the same item, which remembers the key, at the price that was seen now; else this one. */
async function reuseOrInsert(
  app: App,
  order: OrderDoc,
  { item, claims }: Quote,
  tx: TxContext,
): Promise<OrderDoc> {
  const { db } = app.mongo;
  const { account_id, created_at: at } = order;
  const open = await findOpenOrder(db, account_id, order.open_for ?? "", tx);
  if (open?.state === "placed" && open.expires_at > at) {
    const known = withKey(open, order.idempotency_key);
    const code = codeOf(open.reductions ?? []);
    const { cents: amount_cents, reductions } = reducedPrice(item.amount_cents, { ...claims, code });
    // A price that the provider shows on an open page is changed by requesting the page again, which closes it.
    const isKept = open.amount_cents === amount_cents || liveCheckouts(open).length > 0;
    const reused = isKept
      ? known
      : addNote(
          { ...known, items: [item], reductions, amount_cents },
          at,
          priceNote(open.amount_cents, amount_cents),
        );
    await saveOrder(db, reused, tx);
    return reused;
  }
  // It has ended or is about to be ended.
  if (open) await saveOrder(db, { ...open, open_for: null }, tx);
  await insertOrder(db, order, tx);
  return order;
}

/** Throws order_conflict for one more than MAX_KEYS. */
function withKey(open: OrderDoc, key: string): OrderDoc {
  const keys = open.idempotency_keys ?? [open.idempotency_key];
  if (keys.length < MAX_KEYS) return { ...open, idempotency_keys: [...keys, key] };
  throw new AppError("order_conflict", {
    message: `This was ordered ${MAX_KEYS.toLocaleString("en-US")} times and never paid.`,
    hint: "Pay or cancel the open order at /account/orders, then order again.",
  });
}

/** Throws price_changed with the new price. */
export function checkPrice({ cents }: Pick<Quote, "cents">, expectedCents: number): void {
  if (cents === expectedCents) return;
  throw new AppError("price_changed", { numbers: { amount_cents: cents } });
}

function newOrder(
  app: App,
  accountId: string,
  { idempotencyKey, wanted }: Pick<NewOrder, "idempotencyKey" | "wanted">,
  { kind, item, reductions, cents }: Quote,
): OrderDoc {
  const created_at = app.clock.now();
  const expires_at = new Date(created_at.getTime() + OPEN_MS);
  return {
    _id: app.newId("ord"),
    account_id: accountId,
    idempotency_key: idempotencyKey,
    idempotency_keys: [idempotencyKey],
    kind,
    items: [item],
    ...(cents > 0 && { open_for: JSON.stringify(wanted) }),
    reductions,
    currency: "usd",
    amount_cents: cents,
    tax_cents: 0,
    state: "placed",
    events: [{ seq: 1, type: "placed", at: created_at, note: null }],
    provider: null,
    provider_ref: null,
    checkout_at: null,
    checkouts: 0,
    payment_ref: null,
    receipt_number: null,
    reason: null,
    created_at,
    paid_at: null,
    expires_at,
    work: workDue(expires_at),
    credits_taken_back: 0,
  };
}

function replay(earlier: OrderDoc, wanted: WantedItem): OrderDoc {
  if (JSON.stringify(wantedOf(earlier)) === JSON.stringify(wanted)) return earlier;
  throw new AppError("idempotency_mismatch", {
    message: `This form has placed an order already, for ${itemOf(earlier).name}.`,
    hint: "Load the page again to order something else.",
  });
}
