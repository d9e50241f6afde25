// Handles due subscriptions: a renewal that was not reported, a reminder, the end. It takes a few at a time, each separately.
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { ended } from "./bought-subscription.ts";
import { keep } from "./entitle.ts";
import { decideDue, REASONS, takeStep } from "./rules.ts";
import { findDueIds, findSubscription, type SubscriptionDoc } from "./store.ts";

const BATCH = 50;

/**
 * Every one that is due, the longest first. Safe in several workers at the same time, and safe to repeat. Returns how many were changed.
 */
export async function endDueSubscriptions(app: App, signal?: AbortSignal): Promise<number> {
  let total = 0;
  while (!signal?.aborted) {
    const ids = await findDueIds(app.mongo.db, app.clock.now(), BATCH);
    let changed = 0;
    for (const id of ids) if (await endDue(app, id)) changed += 1;
    total += changed;
    if (ids.length < BATCH || changed === 0) return total;
  }
  return total;
}

async function endDue(app: App, id: string): Promise<boolean> {
  return inTx(app, async (tx) => {
    const before = await findSubscription(app.mongo.db, id, tx);
    const after = before && afterDue(before, tx.now);
    if (!after) return false;
    await keep(app, tx, before, after);
    return true;
  });
}

function afterDue(before: SubscriptionDoc, at: Date): SubscriptionDoc | undefined {
  const step = decideDue(before, at);
  if (step === undefined) return undefined;
  if (step === "ended")
    return ended(before, before.state === "cancelling" ? REASONS.cancelled : REASONS.unpaid, at);
  return takeStep(before, step, { at, note: step === "payment_failed" ? REASONS.late : null });
}
