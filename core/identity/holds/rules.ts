// Holds of other internal services: the request, its effect on the credits, and how a hold ends. This file is pure.
import { z } from "zod";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { leftOf, spentIn } from "../accounts/rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { lastTaken } from "../credits/grant-rules.ts";
import { availableCredits, type EntryIntent, expireDue, postEntry } from "../credits/rules.ts";
import type { LedgerDoc } from "../credits/store.ts";
import type { HoldDoc, ServiceLimitDoc } from "./store.ts";

export const MAX_HOLD_CREDITS = 1_000_000_000;
const DEFAULT_SECONDS = 15 * 60;
const MAX_SECONDS = 7 * 24 * 60 * 60;
const MAX_KEY = 255;
const MAX_MEMO = 200;
const NO_CONTROLS = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u;

const creditsSchema = z.number().int().min(1).max(MAX_HOLD_CREDITS);

/** A service's request for a hold. `expires_in` is in seconds. */
export const newHoldSchema = z.strictObject({
  account: z.string().min(1).max(64),
  amount: creditsSchema,
  key: z.string().min(1).max(MAX_KEY),
  expires_in: z.number().int().min(1).max(MAX_SECONDS).default(DEFAULT_SECONDS),
  memo: z.string().min(1).max(MAX_MEMO).regex(NO_CONTROLS, "must not contain control characters"),
  key_id: z.string().min(1).max(64).optional(),
});
export type NewHold = z.output<typeof newHoldSchema>;

export const captureSchema = z.strictObject({ hold: z.string().min(1).max(64), amount: creditsSchema });
export const releaseSchema = captureSchema.omit({ amount: true });

/** Whether a repeated request matches the hold. Its expiry does not count: it runs from the first request. */
export function isSameHold(hold: HoldDoc, { account, amount, memo, key_id }: NewHold): boolean {
  return (
    hold.account_id === account &&
    hold.credits === amount &&
    hold.memo === memo &&
    hold.key_id === (key_id ?? null)
  );
}

/** Why the service may not hold so many credits of this account now: spend_limit_reached, account_suspended or insufficient_credits. */
export function refuseNewHold(
  { amount }: Pick<NewHold, "amount">,
  account: AccountDoc,
  { service, limit, month }: { service: string; limit: ServiceLimitDoc | undefined; month: string },
): AppError | undefined {
  if (account.status === "suspended") return new AppError("account_suspended");
  const used = spentIn(month, limit?.spent);
  const maxCredits = limit?.max_credits ?? 0;
  const left = leftOf({ maxCredits, used });
  if (amount > left)
    return new AppError("spend_limit_reached", {
      message: `The hold is of ${amount} credits; the service ${service} has ${left} left of its ${maxCredits} for the calendar month (UTC).`,
      hint: `Hold less, or ask the operator to raise the limit: atelier service-token limit ${service} --credits N.`,
      numbers: { limit: maxCredits, used, left, credits_required: amount },
    });
  const available = availableCredits(account);
  if (amount > available)
    return new AppError("insufficient_credits", {
      message: `The hold is of ${amount} credits and the account has ${available} available.`,
      numbers: { credits_required: amount, credits_available: available },
    });
  return undefined;
}

/** A step of a hold: what is written together. */
export type HoldStep = {
  readonly hold: HoldDoc;
  readonly account: AccountDoc;
  readonly entries: readonly LedgerDoc[];
  /** Credits that no longer count in the month of the hold. */
  readonly back: number;
};

/** The account without credits that have expired, and the entries that say so. */
export function withoutExpired(account: AccountDoc, at: Date): Pick<HoldStep, "account" | "entries"> {
  const expired = expireDue(account, at);
  return expired ? { account: expired.head, entries: expired.entries } : { account, entries: [] };
}

export function beginHold(
  account: AccountDoc,
  made: Omit<HoldDoc, "state" | "held_from" | "ended_at">,
): HoldStep {
  const { head, entry, from } = postEntry(account, intentOf(made, "reserve", made.credits, made.created_at));
  const hold = {
    ...made,
    state: "held" as const,
    ...(from.length > 0 && { held_from: from }),
    ended_at: null,
  };
  return { hold, account: head, entries: [entry], back: 0 };
}

/**
 * Captures a part of the hold or all of it, and returns the rest. The captured credits are those that a smaller hold would have taken.
 * Repeating a capture changes nothing. Errors: hold_ended, invalid_request above the hold.
 */
export function captureHold(
  account: AccountDoc,
  hold: HoldDoc,
  amount: number,
  at: Date,
): HoldStep | AppError {
  if (hold.state === "captured" && hold.captured === amount) return unchanged(account, hold);
  const over = refuseEnded(hold, at);
  if (over) return over;
  const { credits, held_from: from = [] } = hold;
  if (amount > credits) return invalidField("amount", `must be at most ${credits}, the credits of the hold`);
  const back = credits - amount;
  const returned = lastTaken(from, { taken: credits, back });
  const used = from.flatMap((portion) => {
    const gone = returned.find(({ grant_id }) => grant_id === portion.grant_id)?.amount ?? 0;
    return portion.amount > gone ? [{ ...portion, amount: portion.amount - gone }] : [];
  });
  const captured = postEntry(account, { ...intentOf(hold, "debit", amount, at), from: used });
  const rest =
    back > 0
      ? postEntry(captured.head, { ...intentOf(hold, "release", back, at), from: returned })
      : undefined;
  return {
    hold: { ...hold, state: "captured", captured: amount, ended_at: at },
    account: rest?.head ?? captured.head,
    entries: rest ? [captured.entry, rest.entry] : [captured.entry],
    back,
  };
}

/** Returns all of it. Repeating it changes nothing. Errors: hold_ended. */
export function releaseHold(account: AccountDoc, hold: HoldDoc, at: Date): HoldStep | AppError {
  if (hold.state === "released") return unchanged(account, hold);
  return refuseEnded(hold, at) ?? endHold(account, hold, "released", at);
}

/** Ends a hold whose time is over; undefined if it has ended otherwise or its time was extended. */
export function expireHold(account: AccountDoc, hold: HoldDoc, at: Date): HoldStep | undefined {
  return hold.state === "held" && hold.expires_at <= at ? endHold(account, hold, "expired", at) : undefined;
}

/** Returns all credits of a live hold. */
export function endHold(
  account: AccountDoc,
  hold: HoldDoc,
  state: "released" | "expired",
  at: Date,
): HoldStep {
  const { head, entry } = postEntry(account, intentOf(hold, "release", hold.credits, at));
  return { hold: { ...hold, state, ended_at: at }, account: head, entries: [entry], back: hold.credits };
}

function unchanged(account: AccountDoc, hold: HoldDoc): HoldStep {
  return { hold, account, entries: [], back: 0 };
}

function refuseEnded({ state, captured, ended_at, expires_at }: HoldDoc, at: Date): AppError | undefined {
  if (state === "held" && expires_at > at) return undefined;
  const when = (state === "held" || state === "expired" ? expires_at : (ended_at ?? at)).toISOString();
  const what = {
    held: "expired",
    expired: "expired",
    released: "was released",
    captured: `was captured for ${captured ?? 0} credits`,
  }[state];
  return new AppError("hold_ended", { message: `The hold ${what} at ${when}.` });
}

function intentOf(
  hold: Pick<HoldDoc, "_id" | "key_id" | "memo" | "held_from">,
  kind: EntryIntent["kind"],
  credits: number,
  at: Date,
): EntryIntent {
  const { _id: holdId, key_id: keyId, memo, held_from: from } = hold;
  return { kind, credits, of: { holdId }, source: "system", keyId, memo, at, ...(from && { from }) };
}
