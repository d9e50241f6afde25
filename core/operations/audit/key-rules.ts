// Recounts the spending of keys with limits from the jobs and holds that count in it. This file is pure.
import type { CountedOn, KeyDoc } from "../../identity/accounts/store.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";

type Counts = { month: number; day: number; week: number; total: number };

export class KeysRecount {
  readonly #keys: ReadonlyMap<string, KeyDoc>;
  readonly #counts = new Map<string, Counts>();
  /** A key that replaces another begins with its spending. */
  readonly #successors: ReadonlySet<string | undefined>;

  constructor(keys: readonly KeyDoc[]) {
    this.#keys = new Map(keys.map((key) => [key._id, key]));
    this.#successors = new Set(keys.map(({ replaced_by: next }) => next));
  }

  /** Adds the credits that a job or hold costs by its entries, in the periods that its key still counts. */
  add(counted: Omit<CountedOn, "credits"> | undefined, entries: readonly LedgerDoc[]): void {
    const key = counted && this.#keys.get(counted.key);
    if (!key) return;
    const { spent, spent_in } = key;
    const credits = entries.reduce((sum, { kind, amount, hold }) => sum + costOf(kind, amount, hold), 0);
    const counts = this.#counts.get(key._id) ?? { month: 0, day: 0, week: 0, total: 0 };
    if (counted.month === spent?.month) counts.month += credits;
    if (counted.day !== undefined) {
      if (counted.day === spent_in?.day.name) counts.day += credits;
      if (counted.week === spent_in?.week.name) counts.week += credits;
      counts.total += credits;
    }
    this.#counts.set(key._id, counts);
  }

  /** The findings after all jobs and holds were added. */
  check(): string[] {
    return [...this.#keys.values()].flatMap(({ _id, key_id, spent, spent_in }) => {
      if (this.#successors.has(key_id)) return [];
      const { month = 0, day = 0, week = 0, total = 0 } = this.#counts.get(_id) ?? {};
      const stored = [
        [`in the month ${spent?.month}`, spent?.credits, month],
        [`on the day ${spent_in?.day.name}`, spent_in?.day.credits, day],
        [`in the week of ${spent_in?.week.name}`, spent_in?.week.credits, week],
        ["in total", spent_in?.total, total],
      ] as const;
      return stored.flatMap(([when, has, is]) =>
        has === undefined || has === is
          ? []
          : [`key ${key_id}: counts ${has} credits ${when}, and its jobs and holds cost ${is}`],
      );
    });
  }
}

function costOf(kind: LedgerDoc["kind"], amount: number, hold: number): number {
  if (kind === "reserve" || kind === "release") return hold;
  return kind === "refund" ? -amount : 0;
}
