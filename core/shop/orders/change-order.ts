// Changes an order in one transaction, decided by its state at that moment.
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { countSteps } from "./measure.ts";
import { findOrder, type OrderDoc, saveOrder } from "./store.ts";

/** `isChanged` is false if `change` returned undefined, which leaves the order unchanged. */
export type Changed = { readonly order: OrderDoc; readonly isChanged: boolean };

/** `change` may run more than once. */
export async function changeOrder(
  app: App,
  { _id }: Pick<OrderDoc, "_id">,
  change: (now: OrderDoc, at: Date) => OrderDoc | undefined,
): Promise<Changed> {
  const at = app.clock.now();
  const changed = await inTx({ mongo: app.mongo, now: at }, async (tx) => {
    const now = await findOrder(app.mongo.db, _id, tx);
    if (!now) throw new Error(`order ${_id} does not exist any more`);
    const next = change(now, at);
    if (!next) return { order: now, isChanged: false };
    await saveOrder(app.mongo.db, next, tx);
    return { order: next, isChanged: true };
  });
  if (changed.isChanged) countSteps(app, changed.order, at);
  return changed;
}
