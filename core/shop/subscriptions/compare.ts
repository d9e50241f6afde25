// Compares a subscription with the provider's state, and sends requests until both are equal: outside any transaction, with retries.
import { knownProvider, PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { attemptsOf, extend, take, takeThese } from "../../base/work/queue.ts";
import type { App } from "../../kernel/app.ts";
import {
  afterComparison,
  type Comparison,
  nextDifference,
  type Difference,
  TELLING_MS,
} from "./compare-rules.ts";
import { keep } from "./entitle.ts";
import { nameOffer } from "./offers.ts";
import { findSubscription, type SubscriptionDoc, subscriptions } from "./store.ts";

/** More calls than are ever necessary; a provider that needs more does not do what it says. */
const MAX_TELLINGS = 5;

/** Compares one due subscription, of all or this one. Returns it as it became; undefined if none was due. */
export async function compareSubscription(app: App, id?: string): Promise<SubscriptionDoc | undefined> {
  const queue = subscriptions(app.mongo.db);
  const lease = { now: app.clock.now(), leaseMs: TELLING_MS };
  const [taken] =
    id === undefined ? await take(queue, { ...lease, limit: 1 }) : await takeThese(queue, [id], lease);
  if (!taken) return undefined;
  const settled = await settle(app, taken, await compare(app, taken));
  const { due_at, owner } = settled?.work ?? {};
  // Requests in the meantime have waited for this comparison.
  const isDue = due_at && owner === null && due_at <= app.clock.now();
  return (isDue ? await compareSubscription(app, taken._id) : undefined) ?? settled ?? taken;
}

async function compare(app: App, taken: SubscriptionDoc): Promise<Comparison & { hasTold: boolean }> {
  const { _id, provider, provider_ref: ref } = taken;
  let tellings = 0;
  let difference: Difference | undefined;
  try {
    while (tellings < MAX_TELLINGS) {
      const there = await knownProvider(app.payments, provider).readSubscription(ref);
      const next = nextDifference(taken, there);
      if (!next) return { kind: "equal", there, hasTold: tellings > 0 };
      const until = new Date(app.clock.now().getTime() + TELLING_MS);
      if (!(await extend(subscriptions(app.mongo.db), taken, until, { $set: { telling_until: until } })))
        return { kind: "lost", hasTold: tellings > 0 };
      tellings += 1;
      difference = next;
      await tell(app, taken, next, tellings);
      difference = undefined;
    }
    app.log.error({ subscription_id: _id, provider }, "a payment provider does not do what it was told");
    return { kind: "failed", mayArrive: false, hasTold: true };
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    app.log.warn(
      { err: error, subscription_id: _id, difference: difference?.kind, attempts: attemptsOf(taken) + 1 },
      "a payment provider did not do what a subscription needs",
    );
    const hasTold = tellings > 0;
    const isDeclined = error.why === "declined";
    if (difference && (error.isFinal || isDeclined))
      return { kind: "refused", difference, isDeclined, hasTold };
    return { kind: "failed", mayArrive: difference !== undefined, hasTold };
  }
}

/**
 * Each call has its own key, because the provider answers a known key without doing anything; but a change that costs money keeps its key.
 */
async function tell(app: App, taken: SubscriptionDoc, difference: Difference, number: number): Promise<void> {
  const { _id, provider, provider_ref: ref, kind, currency, work } = taken;
  const known = knownProvider(app.payments, provider);
  const idempotencyKey = `${_id}:${work?.owner}:${number}`;
  if (difference.kind === "cancel")
    return known.cancelSubscription({ idempotencyKey, ref, when: difference.when });
  const { offer, key } = difference;
  await known.changeSubscription({
    idempotencyKey: key ?? idempotencyKey,
    ref,
    item: { name: await nameOffer(app, kind, offer), amountCents: offer.price_cents },
    currency,
    every: offer.interval,
    when: key === undefined ? "period_end" : "now",
  });
}

async function settle(
  app: App,
  taken: SubscriptionDoc,
  comparison: Comparison & { hasTold: boolean },
): Promise<SubscriptionDoc | undefined> {
  return inTx(app, async (tx) => {
    const before = await findSubscription(app.mongo.db, taken._id, tx);
    if (!before) return undefined;
    const after = afterComparison(before, taken, comparison, tx.now);
    return after === before ? before : keep(app, tx, before, after);
  });
}
