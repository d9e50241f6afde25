// Caps of a key for a day, a week, a month and in total: the spending that they count, the refusal, and the mails to the owner. Pure.
import { AppError } from "../../../proto/codes.ts";
import type { KeyDoc } from "./store.ts";

export const CAP_PERIODS = ["day", "week", "month", "total"] as const;
export type CapPeriod = (typeof CAP_PERIODS)[number];

/** The most credits of each period; a period without a cap is absent. */
export type Caps = { readonly [Period in CapPeriod]?: number };

/** Credits of the named period of each kind, without refunds. */
export type Spent = Readonly<Record<CapPeriod, { readonly name: string; readonly credits: number }>>;

/** A key with a cap, and its spending when it was read. */
export type KeyLimit = { readonly key: string; readonly caps: Caps; readonly spent: Spent };

const DAY_MS = 24 * 60 * 60 * 1000;
/** Percent of a cap at which the owner gets a mail. */
const NOTICES = [75, 90] as const;

/** The periods of a moment, in UTC: its day, the Monday of its week, its month. All time has one name. */
export function periodsOf(at: Date): Readonly<Record<CapPeriod, string>> {
  const day = at.toISOString().slice(0, 10);
  const monday = new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS);
  return { day, week: monday.toISOString().slice(0, 10), month: day.slice(0, 7), total: "all" };
}

/** The caps of a key with its counted spending; undefined if it has no cap. */
export function limitOfKey(
  key: Pick<KeyDoc, "_id" | "max_credits" | "caps" | "spent" | "spent_in">,
): KeyLimit | undefined {
  const { _id, max_credits: month, caps: others, spent, spent_in } = key;
  const caps = { ...others, ...(month !== undefined && { month }) };
  if (Object.keys(caps).length === 0) return undefined;
  const nothing = { name: "", credits: 0 };
  return {
    key: _id,
    caps,
    spent: {
      day: spent_in?.day ?? nothing,
      week: spent_in?.week ?? nothing,
      month: spent ? { name: spent.month, credits: spent.credits } : nothing,
      total: { name: "all", credits: spent_in?.total ?? 0 },
    },
  };
}

/** Credits spent in the periods of this moment; 0 in a period that began after the last spending. */
export function usedAt(at: Date, spent: Spent): Readonly<Record<CapPeriod, number>> {
  const names = periodsOf(at);
  const used = (period: CapPeriod) => (spent[period].name === names[period] ? spent[period].credits : 0);
  return { day: used("day"), week: used("week"), month: used("month"), total: used("total") };
}

export function spendAt(at: Date, spent: Spent, credits: number): Spent {
  const names = periodsOf(at);
  const used = usedAt(at, spent);
  const add = (period: CapPeriod) => ({ name: names[period], credits: used[period] + credits });
  return { day: add("day"), week: add("week"), month: add("month"), total: add("total") };
}

/** The fields of the key's document. */
export function toStored({ day, week, month, total }: Spent): Required<Pick<KeyDoc, "spent" | "spent_in">> {
  return {
    spent: { month: month.name, credits: month.credits },
    spent_in: { day, week, total: total.credits },
  };
}

/** A cap with its used and remaining credits; 0 remain if it was lowered below the used ones. */
export type CapState = {
  readonly period: CapPeriod;
  readonly limit: number;
  readonly used: number;
  readonly left: number;
};

export function capStates(at: Date, { caps, spent }: Pick<KeyLimit, "caps" | "spent">): CapState[] {
  const used = usedAt(at, spent);
  return CAP_PERIODS.flatMap((period) => {
    const limit = caps[period];
    return limit === undefined
      ? []
      : [{ period, limit, used: used[period], left: Math.max(0, limit - used[period]) }];
  });
}

/** The credits that all caps leave; null without one. */
export function leftOfCaps(states: readonly CapState[]): number | null {
  return states.length === 0 ? null : Math.min(...states.map(({ left }) => left));
}

const FOR_PERIOD: Readonly<Record<CapPeriod, string>> = {
  day: "for the day (UTC)",
  week: "for the week (from Monday, UTC)",
  month: "for the calendar month (UTC)",
  total: "in total",
};

/** spend_limit_reached by the cap that leaves least, or undefined if that leaves enough. The message begins with `what`. */
export function refuseCaps(credits: number, states: readonly CapState[], what: string): AppError | undefined {
  const least = states.toSorted((a, b) => a.left - b.left)[0];
  if (!least || credits <= least.left) return undefined;
  const { period, limit, used, left } = least;
  return new AppError("spend_limit_reached", {
    message: `${what} ${credits} credits; this key has ${left} left of its ${limit} ${FOR_PERIOD[period]}.`,
    numbers: { limit, used, left, credits_required: credits },
  });
}

/** A cap that reaches this percentage. */
export type CapNotice = CapState & { readonly percent: number; readonly name: string };

/** For each cap, the highest notice that the spending between `before` and `after` reaches. */
export function noticesOf(at: Date, caps: Caps, before: Spent, after: Spent): CapNotice[] {
  const names = periodsOf(at);
  const used = usedAt(at, before);
  return capStates(at, { caps, spent: after }).flatMap((state) => {
    const { period, limit } = state;
    const percent = NOTICES.findLast(
      (each) => used[period] * 100 < each * limit && state.used * 100 >= each * limit,
    );
    return percent === undefined ? [] : [{ ...state, percent, name: names[period] }];
  });
}

export function capMail(
  keyName: string,
  { percent, period, limit, used }: CapNotice,
  baseUrl: string,
): { subject: string; text: string } {
  return {
    subject: `Your key ${keyName} has used ${percent}% of its limit`,
    text: [
      `Your key ${keyName} has spent ${used} of its ${limit} credits ${FOR_PERIOD[period]}.`,
      "At the limit its requests are refused. You get this mail at 75% and at 90% of each limit, once in each period.",
      `Change its limits: ${baseUrl}/account/keys`,
    ].join("\n\n"),
  };
}

/** The key and the periods in which the credits of a job accepted at this time are counted. */
export function countedAt(key: string, at: Date): { key: string; month: string; day: string; week: string } {
  const { month, day, week } = periodsOf(at);
  return { key, month, day, week };
}
