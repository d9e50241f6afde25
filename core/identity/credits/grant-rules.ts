// Expiring credits: the order of spending, where returned ones go, and which have expired. Pure. An account's other credits do not expire.
import type { ExpiringGrant } from "../accounts/store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long credits live that return after their grant has expired. */
export const REVIVED_MS = 30 * DAY_MS;

/** Credits of one grant that are taken together. */
export type Portion = { readonly grant_id: string; readonly amount: number; readonly expires_at: Date };

type Grants = readonly ExpiringGrant[];

export function isDue({ expires_at }: Pick<ExpiringGrant, "expires_at">, at: Date): boolean {
  return expires_at <= at;
}

/** Takes up to this many credits, those that expire first before the rest. The remainder must come from credits that do not expire. */
export function takeSoonest(grants: Grants, credits: number): { left: Grants; from: readonly Portion[] } {
  let wanted = credits;
  const from: Portion[] = [];
  const left = grants.map((grant) => {
    const amount = Math.min(grant.left, wanted);
    if (amount === 0) return grant;
    wanted -= amount;
    from.push({ grant_id: grant.grant_id, amount, expires_at: grant.expires_at });
    return { ...grant, left: grant.left - amount };
  });
  return from.length === 0 ? { left: grants, from } : { left: left.filter((grant) => grant.left > 0), from };
}

/** Like takeSoonest, but starting with those that expire last. */
export function takeLatest(grants: Grants, credits: number): { left: Grants; from: readonly Portion[] } {
  const { left, from } = takeSoonest(grants.toReversed(), credits);
  return from.length === 0 ? { left: grants, from } : { left: left.toReversed(), from };
}

/**
 * Of credits that were taken together, the last ones: `back` of `taken`. Credits that do not expire are taken last and so return first;
 * what stays taken is what a lower price would have taken.
 */
export function lastTaken(
  from: readonly Portion[],
  { taken, back }: { taken: number; back: number },
): readonly Portion[] {
  const expiring = from.reduce((sum, { amount }) => sum + amount, 0);
  let wanted = Math.max(0, back - (taken - expiring));
  return from
    .toReversed()
    .flatMap((portion) => {
      const amount = Math.min(portion.amount, wanted);
      wanted -= amount;
      return amount > 0 ? [{ ...portion, amount }] : [];
    })
    .toReversed();
}

/** Takes exactly these. */
export function takeFrom(grants: Grants, from: readonly Portion[]): Grants {
  const amountOf = ({ grant_id: id, expires_at: end }: ExpiringGrant) =>
    from.find(({ grant_id, expires_at }) => grant_id === id && +expires_at === +end)?.amount ?? 0;
  return grants
    .map((grant) => ({ ...grant, left: grant.left - amountOf(grant) }))
    .filter(({ left }) => left > 0);
}

/** Adds a grant. */
export function addGrant(grants: Grants, grant: ExpiringGrant): Grants {
  return [...grants, grant].sort(
    (a, b) => a.expires_at.getTime() - b.expires_at.getTime() || (a.grant_id < b.grant_id ? -1 : 1),
  );
}

/** Returns taken credits. Those that have expired since live on for REVIVED_MS; expired credits that are still to be swept stay expired. */
export function refundTo(grants: Grants, from: readonly Portion[], at: Date): Grants {
  let left = grants;
  for (const { grant_id, amount, expires_at } of from) {
    const until = isDue({ expires_at }, at) ? new Date(at.getTime() + REVIVED_MS) : expires_at;
    const live = left.find((grant) => grant.grant_id === grant_id && !isDue(grant, at));
    const whole = live
      ? { grant_id, left: live.left + amount, expires_at: live.expires_at > until ? live.expires_at : until }
      : { grant_id, left: amount, expires_at: until };
    left = addGrant(
      left.filter((grant) => grant !== live),
      whole,
    );
  }
  return left;
}
