// Which purchases an account's captured credits came from. Pure: it is shown the entries of one ledger in order.
import type { LedgerDoc } from "../../identity/credits/store.ts";

/** The price of a purchase: cents for so many credits. */
export type Paid = { readonly cents: number; readonly credits: number };

/** Credits that were received together and do not expire. Grants and adjustments cost nothing. */
type Lot = { readonly entryId: string; readonly paid: Paid | "nothing" | "unknown"; left: number };

/** What captured credits brought in; negative for credits that came back. */
export type Revenue = {
  /** Millionths of a dollar, not rounded. */
  readonly micros: number;
  /** Credits of purchases whose price is not known, such as those that an operator entered by hand. */
  readonly unpriced: number;
  /** Credits that no purchase or grant accounts for: 0 unless the ledger is wrong. */
  readonly unfounded: number;
};

const NOTHING: Revenue = { micros: 0, unpriced: 0, unfounded: 0 };
const MICROS_PER_CENT = 10_000;

export class Lots {
  readonly #lots: Lot[] = [];
  /** No lot before this one has anything left. */
  #first = 0;
  /** What each job and hold took, so that a refund returns it: the number of the lot, and how much. */
  readonly #taken = new Map<string, [lot: number, credits: number][]>();
  readonly #paidOf: (entryId: string) => Paid | undefined;

  /** `paidOf` answers the price of the order that an entry belongs to. */
  constructor(paidOf: (entryId: string) => Paid | undefined) {
    this.#paidOf = paidOf;
  }

  /** Moves the lots on. Credits that last are spent in the order in which they came. */
  next(entry: LedgerDoc): Revenue {
    const lasting =
      Math.abs(entry.amount) - (entry.grants ?? []).reduce((sum, { amount }) => sum + amount, 0);
    switch (entry.kind) {
      case "grant":
        if (!entry.expires_at) this.#add(entry._id, "nothing", entry.amount);
        return NOTHING;
      case "purchase":
        this.#add(entry._id, this.#paidOf(entry._id) ?? "unknown", entry.amount);
        return NOTHING;
      case "adjustment":
        if (entry.amount >= 0) this.#restore(entry._id, entry.amount);
        else this.#correct(entry._id, lasting);
        return NOTHING;
      case "debit":
        return this.#spend(keyOf(entry), lasting);
      case "refund":
        return this.#giveBack(keyOf(entry), lasting);
      default:
        return NOTHING;
    }
  }

  #add(entryId: string, paid: Lot["paid"], credits: number): void {
    this.#lots.push({ entryId, paid, left: credits });
  }

  /** Credits of an order that come again after a dispute are worth what they were; others are a gift. */
  #restore(entryId: string, credits: number): void {
    this.#add(entryId, this.#paidOf(entryId) ?? "nothing", credits);
  }

  /** Takes credits away without revenue: those of the same order first, then the newest. */
  #correct(entryId: string, credits: number): void {
    const order = orderOf(entryId);
    let wanted = credits;
    const take = (lot: Lot) => {
      const some = Math.min(lot.left, wanted);
      lot.left -= some;
      wanted -= some;
    };
    if (order !== undefined) for (const lot of this.#lots) if (orderOf(lot.entryId) === order) take(lot);
    for (const lot of this.#lots.toReversed()) take(lot);
  }

  #spend(key: string, credits: number): Revenue {
    const taken: [number, number][] = [];
    let wanted = credits;
    for (let at = this.#first; wanted > 0 && at < this.#lots.length; at++) {
      const lot = this.#lots[at];
      const some = Math.min(lot?.left ?? 0, wanted);
      if (!lot || some === 0) continue;
      lot.left -= some;
      wanted -= some;
      taken.push([at, some]);
    }
    while (this.#lots[this.#first]?.left === 0) this.#first++;
    if (taken.length > 0) this.#taken.set(key, taken);
    return { ...this.#worthOf(taken, 1), unfounded: wanted };
  }

  /** What was taken last comes back first. */
  #giveBack(key: string, credits: number): Revenue {
    const taken = this.#taken.get(key) ?? [];
    const back: [number, number][] = [];
    let wanted = credits;
    while (wanted > 0) {
      const last = taken.at(-1);
      if (!last) break;
      const some = Math.min(last[1], wanted);
      const lot = this.#lots[last[0]];
      if (lot) lot.left += some;
      this.#first = Math.min(this.#first, last[0]);
      wanted -= some;
      back.push([last[0], some]);
      if (some === last[1]) taken.pop();
      else last[1] -= some;
    }
    return { ...this.#worthOf(back, -1), unfounded: 0 - wanted };
  }

  #worthOf(parts: readonly (readonly [number, number])[], sign: 1 | -1): Revenue {
    let [micros, unpriced] = [0, 0];
    for (const [at, credits] of parts) {
      const paid = this.#lots[at]?.paid;
      if (paid === "unknown") unpriced += credits;
      else if (typeof paid === "object") micros += (paid.cents * MICROS_PER_CENT * credits) / paid.credits;
    }
    return { micros: sign * micros, unpriced: sign * unpriced, unfounded: 0 };
  }
}

/** What settles together: the entries of one job or hold. */
export function keyOf({ _id, job_id: jobId }: Pick<LedgerDoc, "_id" | "job_id">): string {
  return jobId ?? _id.replace(/_[a-z]+$/, "");
}

/** The part of an entry's id that names its order, as credits of orders have it. */
export function orderOf(entryId: string): string | undefined {
  return /^led_([^_]+)_o\d+$/.exec(entryId)?.[1];
}
