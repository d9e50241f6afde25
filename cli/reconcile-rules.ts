// Compares a provider's bill with the calls that were made and with what happened to their credits. This file is pure.
import type { ProviderCallResource } from "../proto/resources/margin.ts";

/** Millionths of a currency's unit. */
export const MICROS = 1_000_000;
/** Totals of days are compared to the cent, because providers round them. */
const DAY_TOLERANCE_MICROS = 10_000;

export function toMicros(amount: number): number {
  return Math.round(amount * MICROS);
}

export type BillLine = {
  /** The line in the file, from 1. */
  readonly line: number;
  readonly reference: string;
  readonly micros: number;
  readonly currency: string;
  readonly at?: Date;
};

/** A total for a period, from a provider that does not list single calls. */
export type BillDay = {
  readonly since: Date;
  readonly until: Date;
  readonly micros: number;
  readonly currency: string;
};

/** The known cost of a call; undefined if no one says. */
type Known = { readonly micros: number; readonly currency: string } | undefined;

export type Finding =
  /** The same reference twice: the call was billed twice, or the file contains it twice. */
  | { readonly kind: "duplicate"; readonly line: BillLine; readonly first: number }
  | { readonly kind: "theirs_only"; readonly line: BillLine }
  | { readonly kind: "ours_only"; readonly call: ProviderCallResource }
  | {
      readonly kind: "differs";
      readonly line: BillLine;
      readonly call: ProviderCallResource;
      readonly ours: Known;
    }
  /** A billed call of a job that does not exist. */
  | { readonly kind: "no_job"; readonly line: BillLine; readonly call: ProviderCallResource }
  | { readonly kind: "day_differs"; readonly day: BillDay; readonly ours: number };

export type Reconciled = {
  readonly matched: number;
  /** The matched calls whose credits were refunded in full: the operator alone pays for them. */
  readonly refunded: { readonly calls: number; readonly micros: number };
  readonly findings: readonly Finding[];
};

/** The period of a bill; `until` is exclusive. */
export type BillPeriod = { readonly since: Date; readonly until: Date };

/** From the first to the last of its times; undefined if it has none. */
export function periodOf(lines: readonly BillLine[], days: readonly BillDay[]): BillPeriod | undefined {
  let [since, until] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at } of lines) {
    if (!at) continue;
    since = Math.min(since, at.getTime());
    until = Math.max(until, at.getTime() + 1);
  }
  for (const day of days) {
    since = Math.min(since, day.since.getTime());
    until = Math.max(until, day.until.getTime());
  }
  return since < until ? { since: new Date(since), until: new Date(until) } : undefined;
}

/** Takes the calls one by one, so that only the bill has to be in memory. */
export class Reconciliation {
  readonly #lines = new Map<string, BillLine>();
  readonly #days: readonly { readonly day: BillDay; ours: number }[];
  readonly #period: BillPeriod;
  readonly #findings: Finding[] = [];
  readonly #refunded = { calls: 0, micros: 0 };
  #matched = 0;

  constructor(bill: { lines: readonly BillLine[]; days: readonly BillDay[] }, period: BillPeriod) {
    this.#period = period;
    this.#days = bill.days.map((day) => ({ day, ours: 0 }));
    for (const line of bill.lines) {
      const first = this.#lines.get(line.reference);
      if (first) this.#findings.push({ kind: "duplicate", line, first: first.line });
      else this.#lines.set(line.reference, line);
    }
  }

  call(call: ProviderCallResource): void {
    const ours = knownOf(call);
    if (this.#days.length > 0) {
      const at = new Date(call.at);
      const day = this.#days.find((one) => at >= one.day.since && at < one.day.until);
      if (day && ours?.currency === day.day.currency) day.ours += ours.micros;
      return;
    }
    const line = this.#lines.get(call.reference ?? "");
    if (line) {
      this.#lines.delete(line.reference);
      this.#compare(line, call, ours);
    } else if (this.#isDue(call, ours)) this.#findings.push({ kind: "ours_only", call });
  }

  /** To be called after all calls. */
  result(): Reconciled {
    for (const line of this.#lines.values()) this.#findings.push({ kind: "theirs_only", line });
    for (const { day, ours } of this.#days) {
      if (Math.abs(day.micros - ours) < DAY_TOLERANCE_MICROS) this.#matched++;
      else this.#findings.push({ kind: "day_differs", day, ours });
    }
    return { matched: this.#matched, refunded: this.#refunded, findings: this.#findings };
  }

  #compare(line: BillLine, call: ProviderCallResource, ours: Known): void {
    if (ours?.micros !== line.micros || ours.currency !== line.currency)
      this.#findings.push({ kind: "differs", line, call, ours });
    else if (call.job_state === "gone") this.#findings.push({ kind: "no_job", line, call });
    else {
      this.#matched++;
      if (call.credits_captured > 0 && call.credits_kept === 0) {
        this.#refunded.calls++;
        this.#refunded.micros += line.micros;
      }
    }
  }

  /** Whether the bill should have a line for a call: its cost is above 0 or unknown, and it is in the bill's period. */
  #isDue({ at, outcome }: ProviderCallResource, ours: Known): boolean {
    const time = new Date(at);
    const costs = ours ? ours.micros > 0 : outcome === "made";
    return costs && time >= this.#period.since && time < this.#period.until;
  }
}

function knownOf({ amount, currency }: ProviderCallResource): Known {
  return amount === undefined ? undefined : { micros: toMicros(amount), currency: currency ?? "" };
}

/** One line for a person. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case "duplicate":
      return `line ${finding.line.line}: ${finding.line.reference} was billed in line ${finding.first} already, ${money(finding.line)} again`;
    case "theirs_only":
      return `line ${finding.line.line}: ${finding.line.reference}, ${money(finding.line)}: no call here has this reference`;
    case "ours_only":
      return `call of ${finding.call.job_id} at ${finding.call.at} (${finding.call.reference ?? "no reference"}), ${ours(knownOf(finding.call))}: not in the bill`;
    case "differs":
      return `line ${finding.line.line}: ${finding.line.reference}, billed ${money(finding.line)}, ${ours(finding.ours)}${difference(finding.line, finding.ours)}`;
    case "no_job":
      return `line ${finding.line.line}: ${finding.line.reference}, ${money(finding.line)}: its job ${finding.call.job_id} is not there`;
    case "day_differs":
      return `${finding.day.since.toISOString().slice(0, 10)}: billed ${money(finding.day)}, the calls come to ${money({ ...finding.day, micros: finding.ours })}${difference(finding.day, { ...finding.day, micros: finding.ours })}`;
  }
}

function difference(billed: { micros: number; currency: string }, known: Known): string {
  if (known?.currency !== billed.currency) return "";
  const micros = billed.micros - known.micros;
  return `: ${money({ ...billed, micros: Math.abs(micros) })} ${micros > 0 ? "too much" : "too little"}`;
}

function ours(known: Known): string {
  return known ? `expected ${money(known)}` : "with no cost known here";
}

export function money({ micros, currency }: { micros: number; currency: string }): string {
  return `${(micros / MICROS).toFixed(6).replace(/0{1,4}$/, "")} ${currency}`;
}
