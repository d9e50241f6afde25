// What can be subscribed to, and at which price: plans by the month, tiers of membership by the month and by the year.
import { AppError } from "../../../proto/codes.ts";
import { hasBenefits } from "../../../proto/resources/membership.ts";
import type { SubscriptionKind } from "../../../proto/resources/subscription.ts";
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import { listPlans } from "../../identity/accounts/plans.ts";
import { FREE_PLAN } from "../../identity/accounts/rules.ts";
import type { App } from "../../kernel/app.ts";
import { loadTiers } from "../memberships/tiers.ts";
import type { Rank } from "./rules.ts";
import { findLiveSubscription, type Offer } from "./store.ts";

export type WantedOffer = { kind: SubscriptionKind; what: string; interval: string };
export type NamedOffer = Rank & { name: string };

/** At the current price. Throws not_for_sale. */
export async function findOffer(app: App, { kind, what, interval }: WantedOffer): Promise<NamedOffer> {
  const found = kind === "plan" ? await planOffer(app, what, interval) : await tierOffer(app, what, interval);
  if (found) return found;
  throw new AppError("not_for_sale", {
    message: `There is no such ${kind}, or it is not sold by the ${interval || "period"}.`,
    hint: "Choose one of those that are shown.",
  });
}

async function planOffer(app: App, what: string, interval: string): Promise<NamedOffer | undefined> {
  const plan = (await listPlans(app)).find(({ _id }) => _id === what);
  if (!plan?.price_cents || interval !== "month" || what === FREE_PLAN) return undefined;
  return { what, interval, price_cents: plan.price_cents, order: plan.order, name: planName(plan.name) };
}

async function tierOffer(app: App, what: string, interval: string): Promise<NamedOffer | undefined> {
  const tier = (await loadTiers(app)).get(what);
  if (interval !== "month" && interval !== "year") return undefined;
  const price_cents = interval === "month" ? tier?.monthly_price_cents : tier?.yearly_price_cents;
  if (!tier || !price_cents || !hasBenefits(tier)) return undefined;
  return { what, interval, price_cents, order: tier.order, name: tierName(tier.name) };
}

/** The name for people; the id if it does not exist any more. */
export async function nameOffer(
  app: App,
  kind: SubscriptionKind,
  { what }: Pick<Offer, "what">,
): Promise<string> {
  return kind === "plan"
    ? planName((await app.plans()).get(what)?.name ?? what)
    : tierName((await app.tiers()).get(what)?.name ?? what);
}

/** Its position among its kind; below all if it does not exist any more. */
export async function rankOffer(app: App, kind: SubscriptionKind, offer: Offer): Promise<Rank> {
  const order = (kind === "plan" ? await app.plans() : await app.tiers()).get(offer.what)?.order ?? -1;
  return { ...offer, order };
}

/** Throws order_conflict if one of this kind is paid for already: that one is changed, or ended by a refund, instead. */
export async function checkJoin(
  app: App,
  { accountId, kind }: { accountId: string; kind: SubscriptionKind },
  tx?: ReadContext,
): Promise<void> {
  if (!(await findLiveSubscription(app.mongo.db, { accountId, kind }, tx))) return;
  throw new AppError("order_conflict", {
    message: `The account pays for a ${kind} already.`,
    hint: `Change it on /account/${kind}.`,
  });
}

function planName(name: string): string {
  return `${name} plan`;
}

function tierName(name: string): string {
  return `${name} membership`;
}
