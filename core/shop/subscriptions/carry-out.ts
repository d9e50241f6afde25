// Tells the provider how a subscription is to change there: outside any transaction, until the provider has accepted it or refuses for
// good.
import type { App } from "../../kernel/app.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import {
  knownProvider,
  PaymentProviderFailed,
  type SubscriptionState,
} from "../../adapters/payments/provider.ts";
import { keep } from "./entitle.ts";
import { nameOffer } from "./offers.ts";
import { TELLING_MS } from "./rules.ts";
import { afterTelling, type Answer } from "./telling-rules.ts";
import { findSubscription, type ProviderTask, type SubscriptionDoc, takeTask } from "./store.ts";

const CANCEL = { cancel_now: "now", cancel_at_end: "period_end", resume: "resume" } as const;

/** One task that is due, of all or of this subscription. Answers the subscription as it became; undefined where none was due. */
export async function carryOutTask(app: App, id?: string): Promise<SubscriptionDoc | undefined> {
  const now = app.clock.now();
  const taken = await takeTask(app.mongo.db, { id, now, until: new Date(now.getTime() + TELLING_MS) });
  if (!taken?.task) return undefined;
  const settled = await settle(app, taken, await tellAndCheck(app, taken, taken.task));
  // What was wished meanwhile has waited for this answer.
  const isDue = settled?.next_task_at && settled.next_task_at <= app.clock.now();
  return (isDue ? await carryOutTask(app, taken._id) : undefined) ?? settled ?? taken;
}

async function tellAndCheck(app: App, taken: SubscriptionDoc, task: ProviderTask): Promise<Answer> {
  try {
    return { kind: "taken", ...(await tell(app, taken, task)) };
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    app.log.warn(
      { err: error, subscription_id: taken._id, task: task.kind, attempts: taken.task_attempts },
      "a payment provider did not do what a subscription needs",
    );
    const isDeclined = error.why === "declined";
    return error.isFinal || isDeclined ? { kind: "refused", isDeclined } : { kind: "away" };
  }
}

async function tell(app: App, subscription: SubscriptionDoc, task: ProviderTask): Promise<SubscriptionState> {
  const { _id, task_seq, provider, provider_ref: ref, kind, currency } = subscription;
  const known = knownProvider(app.payments, provider);
  const idempotencyKey = `${_id}:${task_seq}`;
  if (task.kind !== "change")
    return known.cancelSubscription({ idempotencyKey, ref, when: CANCEL[task.kind] });
  const { offer, when } = task;
  const item = { name: await nameOffer(app, kind, offer), amountCents: offer.price_cents };
  return known.changeSubscription({ idempotencyKey, ref, item, currency, every: offer.interval, when });
}

async function settle(
  app: App,
  taken: SubscriptionDoc,
  answer: Answer,
): Promise<SubscriptionDoc | undefined> {
  return inTx(app, async (tx) => {
    const before = await findSubscription(app.mongo.db, taken._id, tx);
    if (!before) return undefined;
    const after = afterTelling(before, taken, answer, tx.now);
    return after === before ? before : keep(app, tx, before, after);
  });
}
