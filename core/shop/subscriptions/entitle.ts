// Stores a subscription together with everything that follows from it, in one transaction: the account's plan or membership, and the mail
// about it.
import { localTimes } from "../../../runtime/local-times.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import { membershipStatus } from "../../identity/accounts/membership-rules.ts";
import { FREE_PLAN } from "../../identity/accounts/rules.ts";
import { putMembership, putPlan } from "../../identity/accounts/set-terms.ts";
import type { AccountDoc, MembershipTerms } from "../../identity/accounts/store.ts";
import { topUpCredits } from "../../identity/credits/top-up.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import { subscriptionMail } from "./mails.ts";
import { nameOffer } from "./offers.ts";
import { holdsUntil, isEntitled } from "./rules.ts";
import { insertSubscription, saveSubscription, type SubscriptionDoc } from "./store.ts";

/** `before` is null if it is new. */
export async function keep(
  app: App,
  tx: TxContext,
  before: SubscriptionDoc | null,
  after: SubscriptionDoc,
): Promise<SubscriptionDoc> {
  if (before) await saveSubscription(app.mongo.db, after, tx);
  else await insertSubscription(app.mongo.db, after, tx);
  const account = (await loadAccounts(app, [after.account_id], tx)).get(after.account_id)?.account;
  if (!account || account.status === "deleted") return after;
  if (after.kind === "plan") await movePlan(app, tx, account, before, after);
  else await moveMembership(app, tx, account, before, after);
  const last = after.events.at(-1);
  if (!last || last.seq === before?.events.at(-1)?.seq) return after;
  const names = {
    name: await nameOffer(app, after.kind, after),
    nextName: await nameOffer(app, after.kind, after.next_change ?? after),
  };
  const times = localTimes(account.time_zone);
  const mail = subscriptionMail(after, names, { baseUrl: app.baseUrl, times });
  if (mail)
    await queueMail(app, tx, {
      ...mail,
      accountId: account._id,
      to: account.email,
      ref: `${after._id}:${last.seq}`,
    });
  return after;
}

async function movePlan(
  app: App,
  tx: TxContext,
  account: AccountDoc,
  before: SubscriptionDoc | null,
  after: SubscriptionDoc,
): Promise<void> {
  if (isEntitled(after)) {
    if (account.plan === after.what && before?.what === after.what) return;
    await putPlan(app, tx, account, after.what);
    await topUpCredits(app, tx, account._id);
  } else if (before && isEntitled(before) && account.plan === before.what)
    await putPlan(app, tx, account, FREE_PLAN);
}

async function moveMembership(
  app: App,
  tx: TxContext,
  account: AccountDoc,
  before: SubscriptionDoc | null,
  after: SubscriptionDoc,
): Promise<void> {
  const current = account.membership;
  const terms = membershipAfter(current, before, after, tx.now);
  if (terms && terms !== current) await putMembership(app, tx, account, terms);
}

/** An operator's longer grant stays. */
function membershipAfter(
  current: MembershipTerms | undefined,
  before: SubscriptionDoc | null,
  after: SubscriptionDoc,
  at: Date,
): MembershipTerms | undefined {
  const isOurs =
    before !== null &&
    isEntitled(before) &&
    current?.tier === before.what &&
    current.period_end.getTime() === holdsUntil(before).getTime();
  if (!isEntitled(after)) return isOurs && current.period_end > at ? { ...current, period_end: at } : current;
  const until = holdsUntil(after);
  const isLonger = !isOurs && current?.tier === after.what && current.period_end > until;
  const goesOn = current !== undefined && membershipStatus(current, at) === "active";
  return {
    tier: after.what,
    started_at: goesOn ? current.started_at : at,
    period_end: isLonger ? current.period_end : until,
  };
}
