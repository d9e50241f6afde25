// Attributes an account's captured credits to the purchases that they came from, given the entries of its ledger in order. This file is
// pure.
import type { LedgerDoc } from "../../identity/credits/store.ts";

/** The price of a purchase: cents for a number of credits. */
export type Paid = { readonly cents: number; readonly credits: number };

/** Credits received together that do not expire. Grants and adjustments cost nothing. */
type Lot = { readonly entryId: string; readonly paid: Paid | "nothing" | "unknown"; left: number };

/** The revenue of captured credits; negative for returned credits. */
export type Revenue = {
  /** Millionths of a dollar, not rounded. */
  readonly micros: number;
  /** Credits of purchases without a known price, such as those that an operator entered. */
  readonly unpriced: number;
  /** Credits without any purchase or grant: 0 unless the ledger is wrong. */
  readonly unfounded: number;
};

const NOTHING: Revenue = { micros: 0, unpriced: 0, unfounded: 0 };
const MICROS_PER_CENT = 10_000;

export class Lots {
  readonly #lots: Lot[] = [];
  /** All lots before this one are used up. */
  #first = 0;
  /** The lots of each job and hold with the amounts taken, so that a refund returns them. */
  readonly #taken = new Map<string, [lot: number, credits: number][]>();
  readonly #paidOf: (entryId: string) => Paid | undefined;

  /** `paidOf` returns the price of an entry's order. */
  constructor(paidOf: (entryId: string) => Paid | undefined) {
    this.#paidOf = paidOf;
  }

  /** Updates the lots. Lasting credits are spent in the order of their arrival. */
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
        return this.#refund(keyOf(entry), lasting);
      default:
        return NOTHING;
    }
  }

  #add(entryId: string, paid: Lot["paid"], credits: number): void {
    this.#lots.push({ entryId, paid, left: credits });
  }

  /** Credits of an order that return after a dispute keep their price; others are a gift. */
  #restore(entryId: string, credits: number): void {
    this.#add(entryId, this.#paidOf(entryId) ?? "nothing", credits);
  }

  /** Removes credits without revenue: first those of the same order, then the newest. */
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

  /** The last credits taken are returned first. */
  #refund(key: string, credits: number): Revenue {
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

/** Entries that settle together: those of one job or hold. */
export function keyOf({ _id, job_id: jobId }: Pick<LedgerDoc, "_id" | "job_id">): string {
  return jobId ?? _id.replace(/_[a-z]+$/, "");
}

/** The part of an entry id that names its order. */
export function orderOf(entryId: string): string | undefined {
  return /^led_([^_]+)_o\d+$/.exec(entryId)?.[1];
}
