// Finds out who calls. It reads the database each time, so that a revocation or a change of plan takes effect on the very next request.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import type { TierDoc } from "../../kernel/definitions.ts";
import type { App } from "../../kernel/app.ts";
import { decideCaller, type Identity, isMember } from "./rules.ts";
import { findAccounts, type KeyDoc, type KeyScope } from "./store.ts";
import { findAccountsIn } from "./store-in-tx.ts";
import { findKeysByHash } from "./store-keys.ts";

/** Who each caller is, or why they are refused, in order. Reads all of them together, inside the transaction if there is one. */
export async function identifyCallers(
  app: App,
  callers: readonly Caller[],
  requiredScope: KeyScope,
  at: TxContext | { readonly now: Date },
): Promise<(Identity | AppError)[]> {
  const { db } = app.mongo;
  const inside = "session" in at ? at : undefined;
  const hashes = new Set(callers.flatMap((caller) => (caller.kind === "key" ? [caller.keySha256] : [])));
  const [keys, plans, tiers] = await Promise.all([
    hashes.size > 0 ? findKeysByHash(db, [...hashes], inside) : new Map<string, KeyDoc>(),
    app.plans(),
    callers.some(isMember) ? app.tiers() : new Map<string, TierDoc>(),
  ]);
  const accountOf = (caller: Caller): string | undefined =>
    caller.kind === "key"
      ? keys.get(caller.keySha256)?.account_id
      : caller.kind === "account"
        ? caller.accountId
        : undefined;
  const accountIds = new Set(callers.map(accountOf).filter((id) => id !== undefined));
  const accounts = await (inside
    ? findAccountsIn(db, [...accountIds], inside)
    : findAccounts(db, [...accountIds]));

  return callers.map((caller) => {
    const account = accounts.get(accountOf(caller) ?? "");
    const facts = {
      key: caller.kind === "key" ? keys.get(caller.keySha256) : undefined,
      account,
      plan: plans.get(account?.plan ?? ""),
      tier: tiers.get(account?.membership?.tier ?? ""),
    };
    const identity = decideCaller(caller, facts, requiredScope, at.now);
    if (facts.key && !(identity instanceof AppError)) app.noteKeyUse(facts.key._id, at.now);
    return identity;
  });
}

/** Identifies one caller, or throws the AppError. */
export async function authenticate(app: App, caller: Caller, requiredScope: KeyScope): Promise<Identity> {
  const [identity] = await identifyCallers(app, [caller], requiredScope, { now: app.clock.now() });
  if (!identity) throw new AppError("missing_key");
  if (identity instanceof AppError) throw identity;
  return identity;
}
