// A membership together with what the account's plan gives: what the member and the operator are shown.
import type { MembershipInput } from "../../proto/types/atelier/v1/Membership.ts";
import { membershipRights, membershipStatus } from "../accounts/membership-rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { App } from "../app.ts";

/** As it is now. Plans and tiers may be a second old. */
export async function describeMembership(app: App, account: AccountDoc): Promise<MembershipInput> {
  const [plans, tiers] = await Promise.all([app.plans(), app.tiers()]);
  const { membership } = account;
  const tier = tiers.get(membership?.tier ?? "");
  const plan = plans.get(account.plan);
  const now = app.clock.now();
  const { memberTools, plusProducts } = membershipRights(membership, tier, now);
  return {
    account_id: account._id,
    status: membershipStatus(membership, now),
    ...(membership && {
      tier: membership.tier,
      tier_name: tier?.name ?? membership.tier,
      started_at: membership.started_at.toISOString(),
      current_period_end: membership.period_end.toISOString(),
    }),
    eligible: memberTools,
    plus_products: plusProducts,
    plan: account.plan,
    plan_name: plan?.name ?? account.plan,
    plan_includes_api: plan?.api ?? false,
    concurrency: plan?.concurrency ?? 0,
    monthly_credits: plan?.monthly_credits ?? 0,
  };
}
