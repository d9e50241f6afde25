// Places an order: once for each form, at the price that the person saw. An order that costs nothing is fulfilled in the same transaction.
import { AppError } from "../../proto/codes.ts";
import { getAccount } from "../accounts/get-account.ts";
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { countSteps } from "./measure.ts";
import { payAndFulfil } from "./advance.ts";
import { itemOf } from "./fulfil.ts";
import { type Quote, quote, type Wanted, wantedOf } from "./quote.ts";
import { OPEN_MS } from "./rules.ts";
import { findOrderByKey, insertOrder, type OrderDoc } from "./store.ts";

export type NewOrder = { idempotencyKey: string; expectedCents: number; wanted: Wanted };

const MAX_KEY_LENGTH = 255;

/**
 * The order of this key: the one that was placed with it before, else a new one. Throws invalid_request, idempotency_mismatch,
 * price_changed, and what quote throws.
 */
export async function placeOrder(
  app: App,
  accountId: string,
  { idempotencyKey, expectedCents, wanted }: NewOrder,
): Promise<OrderDoc> {
  if (idempotencyKey === "" || idempotencyKey.length > MAX_KEY_LENGTH)
    throw new AppError("invalid_request", {
      issues: [{ path: "idempotency_key", message: `must have 1 to ${MAX_KEY_LENGTH} characters` }],
    });
  const { db } = app.mongo;
  const earlier = await findOrderByKey(db, accountId, idempotencyKey);
  if (earlier) return replay(earlier, wanted);
  const quoted = await quote(app, await getAccount(app, accountId), wanted);
  checkPrice(quoted, expectedCents);
  const order = newOrder(app, accountId, idempotencyKey, quoted);
  const at = order.created_at;
  const placed = await inTx(app.mongo, async (session) => {
    const known = await findOrderByKey(db, accountId, idempotencyKey, session);
    if (known) return replay(known, wanted);
    const isFree = order.amount_cents === 0;
    const made = isFree ? await payAndFulfil({ app, session, at }, order) : order;
    if (made.state === "refunded") throw new AppError("not_for_sale", { message: made.reason ?? "" });
    await insertOrder(db, made, session);
    return made;
  });
  countSteps(app, placed, at);
  return placed;
}

/** Throws price_changed with the new one. */
export function checkPrice({ item }: Quote, expectedCents: number): void {
  if (item.amount_cents === expectedCents) return;
  throw new AppError("price_changed", { numbers: { amount_cents: item.amount_cents } });
}

function newOrder(app: App, accountId: string, idempotencyKey: string, { kind, item }: Quote): OrderDoc {
  const created_at = app.clock.now();
  const expires_at = new Date(created_at.getTime() + OPEN_MS);
  return {
    _id: app.newId("ord"),
    account_id: accountId,
    idempotency_key: idempotencyKey,
    kind,
    items: [item],
    currency: "usd",
    amount_cents: item.amount_cents,
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
    next_check_at: expires_at,
    checks: 0,
    credits_taken_back: 0,
  };
}

function replay(earlier: OrderDoc, wanted: Wanted): OrderDoc {
  if (JSON.stringify(wantedOf(earlier)) === JSON.stringify(wanted)) return earlier;
  throw new AppError("idempotency_mismatch", {
    message: `This form has placed an order already, for ${itemOf(earlier).name}.`,
    hint: "Load the page again to order something else.",
  });
}
