// Ends the period of a subscription now, if the demo provider is set up, so that a renewal can be seen without waiting a month.
import { AppError } from "../../../proto/codes.ts";
import type { SubscriptionKind } from "../../../proto/resources/subscription.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { keep } from "./entitle.ts";
import { dueAt } from "./rules.ts";
import { findLiveSubscription, type SubscriptionDoc } from "./store.ts";

/** The provider renews or ends it within seconds. Throws not_found if there is none of the kind, or the provider is another one. */
export async function endPeriodOfDemo(
  app: App,
  accountId: string,
  kind: SubscriptionKind,
): Promise<SubscriptionDoc> {
  const { demo } = app.payments;
  if (!demo) throw new AppError("not_found");
  return inTx(app, async (tx) => {
    const before = await findLiveSubscription(app.mongo.db, { accountId, kind }, tx);
    if (before?.provider !== demo.name) throw new AppError("not_found");
    await demo.endPeriod(before.provider_ref, tx);
    const events = [
      ...before.events,
      {
        seq: before.events.length + 1,
        type: "noted" as const,
        at: tx.now,
        note: "The demonstration ended the period.",
      },
    ];
    const over = { ...before, events, period_end: tx.now };
    return keep(app, tx, before, { ...over, due_at: dueAt(over) });
  });
}
