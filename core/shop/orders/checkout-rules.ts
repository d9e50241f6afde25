// Which checkouts of an order can still be paid. At most one is open: another is requested only after all earlier ones are closed. This
// file is pure.
import type { OrderCheckout, OrderDoc } from "./store.ts";

type WithCheckouts = Pick<
  OrderDoc,
  "state" | "provider" | "provider_ref" | "checkouts" | "checkouts_made" | "amount_cents" | "checkout_at"
> &
  Pick<OrderDoc, "created_at">;

/**
 * All checkouts that were requested, the oldest first; including one that the code of a previous release recorded only as `provider_ref`.
 */
export function checkoutsOf(order: WithCheckouts): readonly OrderCheckout[] {
  const made = order.checkouts_made ?? [];
  const { provider_ref: ref, provider, checkouts: number, amount_cents, state } = order;
  const known = made.find((one) => one.number === number);
  if (known) {
    const isLearned = known.ref === null && ref !== null;
    return isLearned ? made.map((one) => (one === known ? { ...one, ref } : one)) : made;
  }
  if (number === 0 || provider === null) return made;
  const at = order.checkout_at ?? order.created_at;
  const isOpen = state === "placed";
  return [...made, { number, provider, ref, amount_cents, at, state: isOpen ? "open" : "closed" }];
}

/** Those that may be paid, or may exist at the provider although no one received its answer. */
export function liveCheckouts(order: WithCheckouts): OrderCheckout[] {
  return checkoutsOf(order).filter(({ state }) => state !== "closed");
}

/** The order with one more checkout, whose reference is still unknown. Throws if another one may still be paid. */
export function openCheckout(
  order: OrderDoc,
  { provider, amount_cents, at }: Pick<OrderCheckout, "provider" | "amount_cents" | "at">,
): OrderDoc {
  if (liveCheckouts(order).length > 0) throw new Error(`order ${order._id} has an open checkout already`);
  const number = order.checkouts + 1;
  const opened: OrderCheckout = { number, provider, ref: null, amount_cents, at, state: "open" };
  return {
    ...order,
    provider,
    provider_ref: null,
    checkouts: number,
    checkouts_made: [...checkoutsOf(order), opened],
    checkout_at: at,
  };
}

/** The order with new information about one of its checkouts; a closed checkout stays closed. Undefined if nothing is new. */
export function changeCheckout(
  order: OrderDoc,
  number: number,
  change: Partial<Pick<OrderCheckout, "ref" | "state">>,
): OrderDoc | undefined {
  const all = checkoutsOf(order);
  const found = all.find((one) => one.number === number);
  if (!found) return undefined;
  const state = found.state === "closed" ? found.state : (change.state ?? found.state);
  const changed = { ...found, ref: found.ref ?? change.ref ?? null, state };
  if (changed.ref === found.ref && changed.state === found.state) return undefined;
  return {
    ...order,
    // It is the reference of the newest, so that the code of a previous release finds it.
    ...(number === order.checkouts && order.state === "placed" && { provider_ref: changed.ref }),
    checkouts_made: all.map((one) => (one === found ? changed : one)),
  };
}

/** The order after its provider has said that this checkout can no longer be paid. */
export function closeCheckoutOf(order: OrderDoc, ref: string): OrderDoc {
  const found = checkoutsOf(order).find((one) => one.ref === ref);
  return (found && changeCheckout(order, found.number, { state: "closed" })) ?? order;
}
