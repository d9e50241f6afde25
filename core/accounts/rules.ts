// Who may call: decided from what the database says now. Pure.
import type { Caller } from "../../proto/caller.ts";
import { AppError } from "../../proto/codes.ts";
import type { AccountDoc, KeyDoc, KeyScope, PlanDoc } from "./store.ts";

export const MAX_LIVE_KEYS = 20;

/** What was found for a caller. */
export type CallerFacts = {
  key: KeyDoc | undefined;
  account: AccountDoc | undefined;
  plan: PlanDoc | undefined;
};

export type Identity = {
  account: AccountDoc;
  plan: PlanDoc;
  /** null for a signed-in person. */
  keyId: string | null;
  scope: KeyScope;
};

export function isLiveKey(key: KeyDoc, now: Date): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > now);
}

/**
 * The caller of the generation API, or the AppError to answer: missing_key, invalid_key (unknown, revoked, expired and of another
 * kind all look the same), account_suspended, plan_excludes_api, insufficient_scope. A signed-in person needs no plan with the API.
 */
export function decideCaller(caller: Caller, facts: CallerFacts, requiredScope: KeyScope, now: Date): Identity | AppError {
  if (caller.kind === "none") return new AppError("missing_key");
  const { key, account, plan } = facts;
  if (caller.kind === "key" && (!key || key.kind !== "gen" || !isLiveKey(key, now))) return new AppError("invalid_key");
  if (!account || !plan) return new AppError("invalid_key");
  if (account.status === "suspended") return new AppError("account_suspended");
  if (caller.kind === "account") return { account, plan, keyId: null, scope: "write" };
  if (!plan.api) return new AppError("plan_excludes_api", { message: `The ${plan.name} plan does not include the generation API.` });
  const scope = key?.scope ?? "read";
  if (requiredScope === "write" && scope !== "write") return new AppError("insufficient_scope");
  return { account, plan, keyId: key?.key_id ?? null, scope };
}

/** Whether a worker may claim a job of this account: something waits, a slot is free, and the account is in good standing. */
export function isClaimable(account: AccountDoc, plan: PlanDoc): boolean {
  return account.status === "active" && account.waiting > 0 && account.running < plan.concurrency;
}
