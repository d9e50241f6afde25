// Tells the provider what a subscription is to be there: outside any transaction, until it has taken it or refuses for good.
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { knownProvider, PaymentProviderFailed, type SubscriptionState } from "../payments/provider.ts";
import { keep } from "./entitle.ts";
import { nameOffer } from "./offers.ts";
import { REASONS } from "./reasons.ts";
import { nextTaskAt, takeStep, withoutTask } from "./rules.ts";
import {
  findSubscription,
  type ProviderTask,
  saveNextTask,
  type SubscriptionDoc,
  takeTask,
} from "./store.ts";

/** Outlives what a provider takes to answer; then another process may ask. */
const LEASE_MS = 2 * 60_000;
const CANCEL = { cancel_now: "now", cancel_at_end: "period_end", resume: "resume" } as const;

/** One task that is due, of all or of this subscription. Answers the subscription as it became; undefined where none was due. */
export async function carryOutTask(app: App, id?: string): Promise<SubscriptionDoc | undefined> {
  const now = app.clock.now();
  const taken = await takeTask(app.mongo.db, { id, now, until: new Date(now.getTime() + LEASE_MS) });
  if (!taken?.task) return undefined;
  const { task } = taken;
  try {
    const told = await tell(app, taken, task);
    return await settle(app, taken, (before, at) => afterTask(before, task, told, at));
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    app.log.warn(
      { err: error, subscription_id: taken._id, task: task.kind, attempts: taken.task_attempts },
      "a payment provider did not do what a subscription needs",
    );
    if (error.isFinal || error.why === "declined")
      return settle(app, taken, (before, at) => afterRefusal(before, task, error.why === "declined", at));
    await saveNextTask(app.mongo.db, taken, nextTaskAt(taken.task_attempts, app.clock.now()));
    return taken;
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

/** Only where the task is still the one that was carried out. */
async function settle(
  app: App,
  { _id, task_seq }: SubscriptionDoc,
  change: (before: SubscriptionDoc, at: Date) => SubscriptionDoc,
): Promise<SubscriptionDoc | undefined> {
  const at = app.clock.now();
  return inTx(app.mongo, async (session) => {
    const before = await findSubscription(app.mongo.db, _id, session);
    if (!before || before.task_seq !== task_seq || before.next_task_at === null) return before ?? undefined;
    return keep({ app, session, at }, before, change(before, at));
  });
}

function afterTask(
  before: SubscriptionDoc,
  task: ProviderTask,
  { paidUntil }: SubscriptionState,
  at: Date,
): SubscriptionDoc {
  const done = withoutTask(before);
  if (task.kind !== "change" || task.when !== "now" || before.state !== "active") return done;
  return takeStep(done, "changed", {
    at,
    ...task.offer,
    period_start: at,
    period_end: paidUntil > at ? paidUntil : before.period_end,
    next_change: null,
  });
}

/** What the provider will never do is not asked for again, and the person is told. */
function afterRefusal(
  before: SubscriptionDoc,
  task: ProviderTask,
  isDeclined: boolean,
  at: Date,
): SubscriptionDoc {
  const done = withoutTask(before);
  if (task.kind !== "change" || before.state === "ended") return done;
  const note = isDeclined ? REASONS.changeDeclined : REASONS.changeRefused;
  if (before.next_change !== null && task.when === "period_end" && before.state === "active")
    return takeStep(done, "change_dropped", { at, note, next_change: null });
  return { ...done, events: [...done.events, { seq: done.events.length + 1, type: "noted", at, note }] };
}
