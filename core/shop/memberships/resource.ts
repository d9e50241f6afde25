// A membership and a licence as the member and the operator are shown them.
import type { LicenceResource, MembershipResource } from "../../../proto/resources/membership.ts";
import { membershipRights, membershipStatus } from "../../identity/accounts/membership-rules.ts";
import { planNow } from "../../identity/accounts/rules.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { App } from "../../kernel/app.ts";
import { isLive } from "./rules.ts";
import type { LicenceDoc } from "./store.ts";

/** The membership together with what the account's plan includes now. Plans and tiers may be a second old. */
export async function toMembership(app: App, account: AccountDoc): Promise<MembershipResource> {
  const [plans, tiers] = await Promise.all([app.plans(), app.tiers()]);
  const { membership } = account;
  const tier = tiers.get(membership?.tier ?? "");
  const now = app.clock.now();
  const plan = planNow(account, plans, now);
  const { memberTools, plusProducts } = membershipRights(membership, tier, now);
  return {
    status: membershipStatus(membership, now),
    tier: membership?.tier ?? null,
    tier_name: tier?.name ?? membership?.tier ?? null,
    started_at: membership?.started_at.toISOString() ?? null,
    current_period_end: membership?.period_end.toISOString() ?? null,
    eligible: memberTools,
    plus_products: plusProducts,
    plan: account.plan,
    plan_name: plan?.name ?? account.plan,
    plan_includes_api: plan?.api ?? false,
    concurrency: plan?.concurrency ?? 0,
    monthly_credits: plan?.monthly_credits ?? 0,
  };
}

export function toLicence(licence: LicenceDoc): LicenceResource {
  return {
    licence_id: licence._id,
    product_id: licence.product_id,
    product_slug: licence.product_slug,
    product_name: licence.product_name,
    kind: licence.kind,
    source: licence.source,
    status: isLive(licence) ? "active" : "revoked",
    granted_at: licence.granted_at.toISOString(),
    revoked_at: licence.revoked_at?.toISOString() ?? null,
  };
}
