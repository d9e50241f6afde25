// Who may call, and what an account and a key may look like, decided from the current state of the database. This file is pure.
import { z } from "zod";
import type { Caller } from "../../../proto/caller.ts";
import { AppError, type Issue } from "../../../proto/codes.ts";
import { KEY_OVERLAP_SECONDS } from "../../../proto/resources/api-key.ts";
import { GENESIS_HASH } from "../../../proto/resources/ledger-chain.js";
import type { KeyKind } from "../../../runtime/keys/api-key.ts";
import type { TierDoc, PlanDoc } from "../../kernel/definitions.ts";
import { type KeyLimit, limitOfKey } from "./cap-rules.ts";
import { refuseMember } from "./membership-rules.ts";
import type { AccountDoc, Billing, KeyDoc, KeyScope, KeySpending, RaisedThreshold } from "./store.ts";

/** The plan on which every account begins, and to which it falls back. */
export const FREE_PLAN = "free";
export const MAX_LIVE_KEYS = 20;
const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 100;
const MAX_KEY_CREDITS = 1_000_000_000;
const MAX_ADDRESS_LENGTH = 400;
const MAX_TAX_ID_LENGTH = 40;

/** What the database has about a caller. */
export type CallerInfo = {
  key: KeyDoc | undefined;
  account: AccountDoc | undefined;
  plan: PlanDoc | undefined;
  /** The tier of the account's membership; only read for members. */
  tier: TierDoc | undefined;
};

export type Identity = {
  account: AccountDoc;
  plan: PlanDoc;
  /** Null for a signed-in person. */
  key: KeyDoc | null;
  scope: KeyScope;
  /** The spending limits of the key, if it has any. */
  limit?: KeyLimit;
  /** The threshold above which a request needs approval, raised or not. */
  confirm?: { readonly above: number; readonly keyName: string };
  /** The key has no threshold now, but had one: approvals of its requests may stand. */
  lostThreshold?: true;
};

/** The calendar month of a time, in UTC: 2026-01. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** What was spent in this month: nothing if the last spending was in another month. */
export function spentIn(month: string, spent: KeySpending | undefined): number {
  return spent?.month === month ? spent.credits : 0;
}

/** What a limit leaves: nothing if it was lowered below what is used. */
export function leftOf({ maxCredits, used }: { maxCredits: number; used: number }): number {
  return Math.max(0, maxCredits - used);
}

export function isLiveKey(key: KeyDoc, now: Date): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > now);
}

/** Whether this is, or claims to be, a member: someone who uses the member tools. */
export function isMember(caller: Caller): boolean {
  return caller.kind !== "none" && caller.source === "member";
}

/**
 * What an account may do at a moment: during a trial, it has the API and the concurrent jobs of the trial's plan. Its credits are always
 * those of its own plan. Returns undefined for an unknown plan.
 */
export function planNow(
  { plan, trial }: Pick<AccountDoc, "plan" | "trial">,
  plans: ReadonlyMap<string, PlanDoc>,
  now: Date,
): PlanDoc | undefined {
  const own = plans.get(plan);
  const tried = trial && now < trial.until ? plans.get(trial.plan) : undefined;
  if (!own || !tried || tried.order <= own.order) return own;
  const { api, concurrency } = tried;
  return { ...own, api, concurrency };
}

/**
 * Returns the caller, or the AppError to return: missing_key, invalid_key (the same for unknown, revoked and expired keys and for keys of
 * another kind), account_suspended, membership_inactive, plan_excludes_api, insufficient_scope. Generation keys are for programs, member
 * keys only for the member tools. A signed-in person needs no plan with the API, and a member needs one only to write.
 */
export function decideCaller(
  caller: Caller,
  facts: CallerInfo,
  requiredScope: KeyScope,
  now: Date,
): Identity | AppError {
  if (caller.kind === "none") return new AppError("missing_key");
  const { key, account, plan, tier } = facts;
  const member = isMember(caller);
  // Only a key gives access to the member tools.
  if (member && caller.kind === "account") return new AppError("missing_key");
  if (caller.kind === "key" && (!key || key.kind !== (member ? "mem" : "gen") || !isLiveKey(key, now)))
    return new AppError("invalid_key");
  if (!account || !plan) return new AppError("invalid_key");
  if (account.status === "suspended") return new AppError("account_suspended");
  // Its keys and sessions are gone; a caller's proof may be a moment older.
  if (account.status === "deleted")
    return new AppError(caller.kind === "account" ? "not_signed_in" : "invalid_key");
  if (caller.kind === "account") return { account, plan, key: null, scope: "write" };
  const inactive = member ? refuseMember(account.membership, tier, now) : undefined;
  if (inactive) return inactive;
  if (!plan.api && !(member && requiredScope === "read"))
    return new AppError("plan_excludes_api", {
      message: `${account.trial ? "The trial has ended. " : ""}The ${plan.name} plan does not include the generation API.`,
    });
  const scope = key?.scope ?? "read";
  if (requiredScope === "write" && scope !== "write") return new AppError("insufficient_scope");
  return { account, plan, key: key ?? null, scope, ...(key && limitOf(key, now)) };
}

/** The spending limits of a key, and its approval threshold at a moment. */
export function limitOf(key: KeyDoc, now: Date): Pick<Identity, "limit" | "confirm" | "lostThreshold"> {
  const { name: keyName, confirm_above: own } = key;
  const limit = limitOfKey(key);
  const above = own === undefined ? undefined : Math.max(own, raisedNow(key, now)?.above ?? 0);
  return {
    ...(limit && { limit }),
    ...(above !== undefined && { confirm: { above, keyName } }),
    ...(above === undefined && key.lost_threshold && { lostThreshold: true as const }),
  };
}

/** The raised threshold of a key while it lasts. */
export function raisedNow({ confirm_raised: raised }: KeyDoc, now: Date): RaisedThreshold | undefined {
  return raised && now < raised.until ? raised : undefined;
}

/**
 * The account's position in the queue. Null if workers can skip the account: it has no waiting job or no free slot, or is not in good
 * standing.
 */
export function turnOf(
  { status, waiting, running, served_at }: Pick<AccountDoc, "status" | "waiting" | "running" | "served_at">,
  { concurrency }: Pick<PlanDoc, "concurrency">,
): number | null {
  return status === "active" && waiting > 0 && running < concurrency ? served_at : null;
}

/** The form in which e-mail addresses are stored and compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The problem of a normalised e-mail address. */
export function emailIssues(email: string): Issue[] {
  return email.length > MAX_EMAIL_LENGTH || !z.email().safeParse(email).success
    ? [{ path: "email", message: "must be an email address" }]
    : [];
}

export type NewAccount = { email: string; name: string; plan: string };

/** An account without credits, keys and jobs. Throws invalid_request. */
export function newAccount(
  accountId: string,
  wanted: NewAccount,
  plans: ReadonlyMap<string, PlanDoc>,
  now: Date,
): AccountDoc {
  const email = normaliseEmail(wanted.email);
  const name = wanted.name.trim();
  refuse([
    ...emailIssues(email),
    ...nameIssues(name),
    ...(plans.has(wanted.plan) ? [] : [unknownPlan(plans)]),
  ]);
  return {
    _id: accountId,
    email,
    name,
    plan: wanted.plan,
    status: "active",
    balance: 0,
    held: 0,
    ledger_seq: 0,
    ledger_hash: GENESIS_HASH,
    waiting: 0,
    running: 0,
    served_at: 0,
    turn: null,
    keys_made: 0,
    created_at: now,
  };
}

export function unknownPlan(plans: ReadonlyMap<string, PlanDoc>): Issue {
  return { path: "plan", message: `must be one of ${[...plans.keys()].join(", ")}` };
}

/** `scope` is unchecked; an Invalid Date stands for a time that could not be read. */
export type NewKey = {
  name: string;
  scope: string;
  expiresAt: Date | null;
  maxCredits?: number | undefined;
  caps?: KeyCaps | undefined;
  confirmAbove?: number | undefined;
};

/** Caps in addition to that of the month. */
export type KeyCaps = NonNullable<KeyDoc["caps"]>;

/** The spending limits and the approval threshold of a key; undefined if nothing is set. */
type KeyBudget = {
  readonly maxCredits: number | undefined;
  readonly caps: KeyCaps | undefined;
  readonly confirmAbove: number | undefined;
};

/** Checks the name and the rights of a new key. Throws invalid_request. */
export function checkNewKey(
  wanted: NewKey,
  now: Date,
): { name: string; scope: KeyScope; expiresAt: Date | null } & KeyBudget {
  const { scope, expiresAt, maxCredits, caps, confirmAbove } = wanted;
  const name = wanted.name.trim();
  const issues = nameIssues(name);
  if (!isKeyScope(scope)) issues.push({ path: "scope", message: "must be read or write" });
  if (expiresAt && Number.isNaN(expiresAt.getTime())) {
    issues.push({ path: "expires_at", message: "must be a time such as 2030-01-31T00:00:00Z" });
  } else if (expiresAt && expiresAt <= now) {
    issues.push({ path: "expires_at", message: "must be in the future" });
  }
  issues.push(...budgetIssues({ maxCredits, caps, confirmAbove }));
  if (issues.length > 0 || !isKeyScope(scope)) throw new AppError("invalid_request", { issues });
  return { name, scope, expiresAt, maxCredits, caps: someCaps(caps), confirmAbove };
}

/** An absent field stays unchanged; null removes a limit. */
export type KeyChange = {
  name?: string | undefined;
  maxCredits?: number | null | undefined;
  /** All of them together. */
  caps?: KeyCaps | undefined;
  confirmAbove?: number | null | undefined;
  /** Ends the raised threshold. */
  askAgain?: boolean | undefined;
};

/** What a change of a key writes. */
export type ChangedKey = { name: string; losesThreshold: boolean; endsRaise: boolean } & KeyBudget;

/**
 * Name and budget of a live key after a change. Another threshold ends a raised one. Throws invalid_request, also for a key that has ended.
 */
export function changedKey(key: KeyDoc, change: KeyChange, now: Date): ChangedKey {
  refuse(endedIssues(key, now));
  const name = (change.name ?? key.name).trim();
  const after = (wanted: number | null | undefined, before: number | undefined) =>
    wanted === undefined ? before : (wanted ?? undefined);
  const budget = {
    maxCredits: after(change.maxCredits, key.max_credits),
    caps: someCaps(change.caps ?? key.caps),
    confirmAbove: after(change.confirmAbove, key.confirm_above),
  };
  refuse([...nameIssues(name), ...budgetIssues(budget)]);
  const endsRaise = change.askAgain === true || budget.confirmAbove !== key.confirm_above;
  const losesThreshold = key.confirm_above !== undefined && budget.confirmAbove === undefined;
  return { name, ...budget, losesThreshold, endsRaise };
}

/** When a live key ends that is about to be replaced. Throws invalid_request. */
export function endOfReplaced(key: KeyDoc, overlap: string, now: Date): Date {
  const overlaps: ReadonlyMap<string, number> = new Map(Object.entries(KEY_OVERLAP_SECONDS));
  const seconds = overlaps.get(overlap);
  const issues = endedIssues(key, now);
  if (key.replaced_by !== undefined)
    issues.push({ path: "key_id", message: "has been replaced already; roll the key that took its place" });
  if (seconds === undefined) {
    issues.push({ path: "overlap", message: `must be one of ${[...overlaps.keys()].join(", ")}` });
    throw new AppError("invalid_request", { issues });
  }
  refuse(issues);
  const end = new Date(now.getTime() + seconds * 1000);
  return key.expires_at && key.expires_at < end ? key.expires_at : end;
}

function endedIssues(key: KeyDoc, now: Date): Issue[] {
  return isLiveKey(key, now) ? [] : [{ path: "key_id", message: "has ended" }];
}

/** undefined if no cap is set: such a key has no field for them. */
function someCaps(caps: KeyCaps | undefined): KeyCaps | undefined {
  return caps && Object.keys(caps).length > 0 ? caps : undefined;
}

function budgetIssues({ maxCredits, caps = {}, confirmAbove }: KeyBudget): Issue[] {
  // Above 0 credits means every request with a price.
  return [
    ...amountIssues("max_credits", maxCredits, 1),
    ...Object.entries(caps).flatMap(([period, credits]) => amountIssues(`caps.${period}`, credits, 1)),
    ...amountIssues("confirm_above", confirmAbove, 0),
  ];
}

function amountIssues(path: string, credits: number | undefined, min: number): Issue[] {
  const fits =
    credits === undefined || (Number.isSafeInteger(credits) && credits >= min && credits <= MAX_KEY_CREDITS);
  return fits ? [] : [{ path, message: `must be a whole number from ${min} to ${MAX_KEY_CREDITS}` }];
}

/** Whether one more key of this kind may be created. Throws account_suspended, plan_excludes_api (generation keys), key_limit_reached. */
export function checkKeyAllowed(
  account: AccountDoc,
  kind: KeyKind,
  plan: PlanDoc | undefined,
  liveKeys: number,
): void {
  if (account.status === "suspended") throw new AppError("account_suspended");
  if (kind === "gen" && !plan?.api) throw new AppError("plan_excludes_api");
  if (liveKeys >= MAX_LIVE_KEYS) {
    throw new AppError("key_limit_reached", {
      message: `The account has ${liveKeys} live keys, as many as it may have.`,
    });
  }
}

export function isKeyScope(value: string): value is KeyScope {
  return value === "read" || value === "write";
}

/** The name as it is stored. Throws invalid_request. */
export function checkName(wanted: string): string {
  const name = wanted.trim();
  refuse(nameIssues(name));
  return name;
}

const CONTROLS = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;
/** U+2800 is the empty pattern of Braille. Joiners stay allowed within a name: emoji and Persian words need them. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\u2800]/u;

function nameIssues(name: string): Issue[] {
  if (name.length === 0) return [{ path: "name", message: "is required" }];
  if (!VISIBLE.test(name)) return [{ path: "name", message: "must have a visible character" }];
  return textIssues("name", name, MAX_NAME_LENGTH);
}

function textIssues(path: string, text: string, maxLength: number): Issue[] {
  if (text.length > maxLength) return [{ path, message: `must have at most ${maxLength} characters` }];
  // Such texts are shown in lists and terminals; a line break, an escape sequence or another direction in one could be mistaken for
  // something else.
  return CONTROLS.test(text) ? [{ path, message: "must not contain control characters" }] : [];
}

/** The details as they are stored: the address in lines without empty ones. Throws invalid_request. */
export function checkBilling(wanted: Billing): Billing {
  const lines = wanted.address.split(/\r\n|\r|\n/).map((line) => line.trim());
  const billing = {
    name: wanted.name.trim(),
    address: lines.filter((line) => line !== "").join("\n"),
    tax_id: wanted.tax_id.trim(),
  };
  refuse([
    ...textIssues("name", billing.name, MAX_NAME_LENGTH),
    ...textIssues("address", billing.address.replaceAll("\n", " "), MAX_ADDRESS_LENGTH),
    ...textIssues("tax_id", billing.tax_id, MAX_TAX_ID_LENGTH),
  ]);
  return billing;
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
}
