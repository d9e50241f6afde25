// Handles a provider's events about a subscription except payments, in the transaction of the event. Events may be old, repeat, or report
// the service's own request.
import type { PaymentEventBody, SubscriptionInfo } from "../../adapters/payments/provider.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { isQueued } from "../../base/work/rules.ts";
import type { App } from "../../kernel/app.ts";
import { compareAgain, endedThere } from "./compare-rules.ts";
import { keep } from "./entitle.ts";
import { asWanted, isFailureOfNow, REASONS, takeStep } from "./rules.ts";
import { findSubscription, findSubscriptionByRef, type SubscriptionDoc } from "./store.ts";

export type SubscriptionBody = Extract<
  PaymentEventBody,
  { kind: "renewal_failed" | "subscription_changed" | "subscription_ended" }
>;

/** By the local id, else by the provider's. A subscription with another provider's id does not match. */
export async function findTold(
  app: App,
  tx: TxContext,
  provider: string,
  { subscriptionId, subscriptionRef }: SubscriptionInfo,
): Promise<SubscriptionDoc | null> {
  const found =
    subscriptionId === null
      ? await findSubscriptionByRef(app.mongo.db, { provider, ref: subscriptionRef }, tx)
      : await findSubscription(app.mongo.db, subscriptionId, tx);
  return found?.provider === provider && found.provider_ref === subscriptionRef ? found : null;
}

/** `toldAt` is when it happened at the provider. Returns the result. */
export async function takeSubscriptionEvent(
  app: App,
  tx: TxContext,
  provider: string,
  news: SubscriptionBody,
  toldAt: Date,
): Promise<string> {
  const before = await findTold(app, tx, provider, news);
  if (!before) return "not_ours";
  const after = afterEvent(before, news, { at: tx.now, toldAt });
  if (after === before) return "nothing";
  await keep(app, tx, before, after);
  return after.state;
}

/** The unchanged subscription if the event has no effect. */
export function afterEvent(
  before: SubscriptionDoc,
  news: SubscriptionBody,
  { at, toldAt }: { at: Date; toldAt: Date },
): SubscriptionDoc {
  if (before.state === "ended") return before;
  if (news.kind === "subscription_ended") return asWanted(endedThere(before, at));
  if (news.kind === "renewal_failed")
    return isFailureOfNow(before, toldAt)
      ? takeStep(before, "payment_failed", { at, note: REASONS.failed })
      : before;
  const asked = before.events.findLast(({ type }) => type === "cancelled" || type === "resumed");
  if (news.endsThen === (before.state === "cancelling") || (asked && toldAt <= asked.at)) return before;
  // A pending request to the provider is newer. A worker may have read it before this.
  if (isQueued(before)) return compareAgain(before, at, before.telling_until ?? null);
  if (before.state === "past_due") return before;
  return takeStep(before, news.endsThen ? "cancelled" : "resumed", { at });
}
