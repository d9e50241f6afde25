// The earnings of a month, added up line by line. This file is pure.
import { BOOK_CURRENCY } from "../../studio/costs/rules.ts";
import type { CostDoc } from "../../studio/costs/store.ts";
import type { Revenue } from "./lots-rules.ts";

export const MARGIN_BY = ["model", "provider", "plan", "account"] as const;
export type MarginBy = (typeof MARGIN_BY)[number];

/** The rows of a movement in each table. A movement without a job has no model and provider. */
export type Place = Readonly<Record<MarginBy, string>>;

export type MarginLine = {
  key: string;
  jobs: number;
  captured: number;
  refunded: number;
  expired: number;
  /** Millionths of a dollar. */
  revenueMicros: number;
  costMicros: number;
  /** Costs in other currencies in millionths; no sum includes them. */
  otherCosts: Record<string, number>;
  /** Jobs whose calls have no known cost. */
  uncostedJobs: number;
  /** Captured credits of purchases without a known price. */
  unpricedCredits: number;
  /** Captured credits without any purchase or grant. */
  unfoundedCredits: number;
};

export class MarginTable {
  readonly #by: MarginBy;
  readonly #lines = new Map<string, MarginLine>();

  constructor(by: MarginBy) {
    this.#by = by;
  }

  captured(place: Place, credits: number, revenue: Revenue): void {
    const line = this.#line(place);
    line.jobs += 1;
    line.captured += credits;
    this.#earn(line, revenue);
  }

  refunded(place: Place, credits: number, revenue: Revenue): void {
    const line = this.#line(place);
    line.refunded += credits;
    this.#earn(line, revenue);
  }

  expired(place: Place, credits: number): void {
    this.#line(place).expired += credits;
  }

  cost(place: Place, { micros, currency = "" }: Pick<CostDoc, "micros" | "currency">): void {
    if (micros === undefined) return;
    const line = this.#line(place);
    if (currency === BOOK_CURRENCY) line.costMicros += micros;
    else line.otherCosts[currency] = (line.otherCosts[currency] ?? 0) + micros;
  }

  uncosted(place: Place): void {
    this.#line(place).uncostedJobs += 1;
  }

  #earn(line: MarginLine, { micros, unpriced, unfounded }: Revenue): void {
    line.revenueMicros += micros;
    line.unpricedCredits += unpriced;
    line.unfoundedCredits += unfounded;
  }

  #line(place: Place): MarginLine {
    const key = place[this.#by];
    let line = this.#lines.get(key);
    if (!line) this.#lines.set(key, (line = emptyLine(key)));
    return line;
  }

  /** The lines with the highest revenue first; amounts are whole millionths. */
  lines(): MarginLine[] {
    return [...this.#lines.values()]
      .map((line) => ({ ...line, revenueMicros: Math.round(line.revenueMicros) }))
      .sort((a, b) => b.revenueMicros - a.revenueMicros || (a.key < b.key ? -1 : 1));
  }
}

export function emptyLine(key: string): MarginLine {
  return {
    key,
    jobs: 0,
    captured: 0,
    refunded: 0,
    expired: 0,
    revenueMicros: 0,
    costMicros: 0,
    otherCosts: {},
    uncostedJobs: 0,
    unpricedCredits: 0,
    unfoundedCredits: 0,
  };
}

/** The calendar month (UTC) from its first moment to that of the next; undefined if the text is not a month. */
export function monthRange(month: string): { since: Date; until: Date } | undefined {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) return undefined;
  return {
    since: new Date(Date.UTC(Number(year), Number(number) - 1)),
    until: new Date(Date.UTC(Number(year), Number(number))),
  };
}
