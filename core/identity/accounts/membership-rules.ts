// Whether a membership is active at a moment, its rights, and how it starts, is extended and ends. Pure. The terms are part of the account;
// tiers and licences belong to the slice memberships.
import { AppError, type Issue } from "../../../proto/codes.ts";
import type { MembershipStatus } from "../../../proto/resources/membership.ts";
import type { TierDoc } from "../../kernel/definitions.ts";
import type { MembershipTerms } from "./store.ts";

const SAME_KEY = "the same key works again as soon as the membership includes them.";

/** Nothing is written when a period ends: every reader compares it with the clock. The end itself is outside the period. */
export function membershipStatus(membership: MembershipTerms | undefined, now: Date): MembershipStatus {
  if (!membership) return "none";
  return now < membership.period_end ? "active" : "lapsed";
}

/** What a membership includes at a moment. A tier that is no longer known includes nothing. */
export function membershipRights(
  membership: MembershipTerms | undefined,
  tier: TierDoc | undefined,
  now: Date,
): { memberTools: boolean; plusProducts: boolean; discountPercent: number } {
  const active = membershipStatus(membership, now) === "active";
  return {
    memberTools: active && tier?.member_tools === true,
    plusProducts: active && tier?.plus_products === true,
    discountPercent: active ? (tier?.discount_percent ?? 0) : 0,
  };
}

/** membership_inactive with a message for the user, where the member tools are not included; undefined where they are. */
export function refuseMember(
  membership: MembershipTerms | undefined,
  tier: TierDoc | undefined,
  now: Date,
): AppError | undefined {
  if (membershipRights(membership, tier, now).memberTools) return undefined;
  return new AppError("membership_inactive", whyInactive(membership, tier, now));
}

/** The missing condition, and the step that fulfils it: a tier without the tools cannot be renewed into having them. */
function whyInactive(
  membership: MembershipTerms | undefined,
  tier: TierDoc | undefined,
  now: Date,
): { message: string; hint: string } {
  if (!membership)
    return {
      message: "The account has no membership.",
      hint: `Join on the website with a tier that includes the member tools; ${SAME_KEY}`,
    };
  const name = tier?.name ?? membership.tier;
  const ended =
    membershipStatus(membership, now) === "lapsed"
      ? `The account's ${name} membership ended on ${membership.period_end.toISOString()}`
      : undefined;
  if (ended !== undefined && tier?.member_tools === true)
    return {
      message: `${ended}.`,
      hint: "Renew the membership on the website; the same key works again as soon as it is active.",
    };
  return {
    message:
      ended === undefined
        ? `The account's ${name} membership does not include the member tools.`
        : `${ended}, and did not include the member tools.`,
    hint: `Upgrade on the website to a tier that includes the member tools; ${SAME_KEY}`,
  };
}

/**
 * The membership from now on. An active one continues and keeps its start; after a gap a new one starts. `until` may be earlier than the
 * current end. An Invalid Date stands for an unreadable time. Throws invalid_request.
 */
export function renewMembership(
  current: MembershipTerms | undefined,
  wanted: { tier: string; until: Date },
  tiers: ReadonlyMap<string, TierDoc>,
  now: Date,
): MembershipTerms {
  const { tier, until } = wanted;
  const issues: Issue[] = [];
  if (!tiers.has(tier))
    issues.push({ path: "tier", message: `must be one of ${[...tiers.keys()].join(", ")}` });
  if (Number.isNaN(until.getTime()))
    issues.push({ path: "until", message: "must be a time such as 2030-01-31T00:00:00Z" });
  else if (until <= now) issues.push({ path: "until", message: "must be in the future" });
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
  // A renewal in the moment of the end leaves no gap.
  const goesOn = current !== undefined && now <= current.period_end;
  return { tier, started_at: goesOn ? current.started_at : now, period_end: until };
}

/** The membership, ended now; one that has already ended keeps its end. Throws not_found if there never was one. */
export function endMembership(current: MembershipTerms | undefined, now: Date): MembershipTerms {
  if (!current) {
    throw new AppError("not_found", {
      message: "This account never had a membership.",
      hint: "Check the account; membership set begins one.",
    });
  }
  return membershipStatus(current, now) === "active" ? { ...current, period_end: now } : current;
}
