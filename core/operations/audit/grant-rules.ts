// The invariants of expiring grants, checked only against stored data. This file is pure.
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { JobDoc } from "../../studio/jobs/store.ts";

/** An expiring grant, recounted from the entries that name it. */
type GrantCount = { given: number; expiresAt: Date; spent: number; expired: number };

export type GrantCounts = Map<string, GrantCount>;

/** Checks the grants of the next entry, and updates the counts. */
export function countGrants(counts: GrantCounts, entry: LedgerDoc): string[] {
  const wrong: string[] = [];
  const where = `ledger entry ${entry._id} (seq ${entry.seq})`;
  if (entry.kind === "grant" && entry.expires_at)
    counts.set(entry._id, { given: entry.amount, expiresAt: entry.expires_at, spent: 0, expired: 0 });
  const shares = entry.grants ?? [];
  const told = shares.reduce((sum, { amount }) => sum + amount, 0);
  const moved = Math.abs(entry.amount);
  if (entry.kind === "expire" ? told !== moved : told > moved)
    wrong.push(`${where}: moves ${moved} credits, and names ${told} of grants`);
  for (const { grant_id: id, amount } of shares) {
    const grant = counts.get(id);
    if (!grant) {
      wrong.push(`${where}: names the grant ${id}, which does not expire or is not there`);
    } else if (entry.kind === "expire") {
      grant.expired += amount;
      if (entry.created_at < grant.expiresAt) wrong.push(`${where}: ends the grant ${id} before its time`);
    } else grant.spent += entry.amount < 0 ? amount : -amount;
  }
  return wrong;
}

/** The findings between a job's entries and the grants of its price. */
export function checkShares(job: JobDoc, entries: readonly LedgerDoc[]): string[] {
  const text = (shares: LedgerDoc["grants"]) =>
    (shares ?? []).map(({ grant_id, amount }) => `${grant_id} ${amount}`).join(", ");
  const held = (job.held_from ?? []).map(({ grant_id, amount }) => ({ grant_id, amount }));
  const expected: Partial<Record<LedgerDoc["kind"], string>> = {
    debit: text(held),
    refund: text(restOf(held, job.charged ?? 0)),
  };
  return entries.flatMap(({ _id, kind, grants }) => {
    const wanted = expected[kind];
    if (wanted === undefined || text(grants) === wanted) return [];
    return [
      `job ${job._id} (${job.state}): ledger entry ${_id} names the grants ${text(grants) || "none"}, and it was held from ${wanted || "none"}`,
    ];
  });
}

/** The rest of these shares, in order, after this many credits were spent. */
function restOf(shares: NonNullable<LedgerDoc["grants"]>, spent: number): NonNullable<LedgerDoc["grants"]> {
  let left = spent;
  return shares.flatMap(({ grant_id, amount }) => {
    const used = Math.min(amount, left);
    left -= used;
    return amount > used ? [{ grant_id, amount: amount - used }] : [];
  });
}

/** The findings between an account and the counts of its grants. `held` contains the credits of each grant that waiting jobs hold. */
export function checkGrants(
  account: AccountDoc,
  counts: GrantCounts,
  held: ReadonlyMap<string, number>,
): string[] {
  const wrong: string[] = [];
  const expiring = account.expiring ?? [];
  const known = new Set([...counts.keys(), ...held.keys(), ...expiring.map(({ grant_id }) => grant_id)]);
  for (const id of known) {
    const left = expiring.filter(({ grant_id }) => grant_id === id).reduce((sum, one) => sum + one.left, 0);
    const waiting = held.get(id) ?? 0;
    const { given, spent, expired } = counts.get(id) ?? { given: 0, spent: 0, expired: 0 };
    if (given !== left + waiting + spent + expired)
      wrong.push(
        `grant ${id}: ${given} were given, and there are ${left} left, ${waiting} held, ${spent} spent and ${expired} expired`,
      );
    if (waiting > 0 && expired > given - spent - waiting)
      wrong.push(`grant ${id}: ${expired} expired, of which some were held`);
  }
  const free = expiring.reduce((sum, { left }) => sum + left, 0);
  if (free > account.balance - account.held)
    wrong.push(
      `account: ${free} credits of grants are left, with ${account.balance - account.held} available`,
    );
  const ends = expiring.map(({ expires_at }) => expires_at.getTime());
  if (ends.some((end, i) => end < (ends[i - 1] ?? end)))
    wrong.push("account: its grants are not in the order in which they expire");
  return [...wrong, ...checkMonths(account, counts), ...checkDue(account)];
}

/** One period begins in each calendar month: on the day on which the account was opened, or the last day of a shorter month. */
function checkMonths({ created_at: begun }: AccountDoc, counts: GrantCounts): string[] {
  const days = [...counts.keys()].flatMap((id) => /_monthly_(\d{4}-\d{2}-\d{2})$/.exec(id)?.[1] ?? []);
  const byMonth = Map.groupBy(days, (day) => day.slice(0, 7));
  return [
    ...[...byMonth]
      .filter(([, given]) => given.length > 1)
      .map(([month, given]) => `ledger: the credits of ${month} were given ${given.length} times`),
    ...days
      .filter((day) => {
        const lastDay = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
        return Number(day.slice(8)) !== Math.min(begun.getUTCDate(), lastDay);
      })
      .map((day) => `ledger: monthly credits were given for ${day}, when no period begins`),
  ];
}

/** The sweep finds accounts by their due time: work that is due before it would never be done. */
function checkDue({ status, due_at: due, next_grant_at: next, expiring }: AccountDoc): string[] {
  const first = Math.min(next?.getTime() ?? Infinity, expiring?.[0]?.expires_at.getTime() ?? Infinity);
  if (status === "deleted" || first === Infinity || (due && due.getTime() <= first)) return [];
  return [
    `account: is due ${due?.toISOString() ?? "never"}, and something is at ${new Date(first).toISOString()}`,
  ];
}
