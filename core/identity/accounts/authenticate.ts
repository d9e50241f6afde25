// Identifies the caller. It reads the database each time, so that a revocation or a change of plan takes effect on the very next request.
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import { shareRead } from "../../base/mongo/batched-read.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { TierDoc } from "../../kernel/definitions.ts";
import { decideCaller, type Identity, isMember, planNow } from "./rules.ts";
import { findAccountsIn } from "./store-in-tx.ts";
import { findKeysByHash } from "./store-keys.ts";
import { type AccountDoc, findAccounts, type KeyDoc, type KeyScope } from "./store.ts";

const MOST_KNOWN = 20_000;

const readKeys = shareRead<KeyDoc>(findKeysByHash);
const readAccounts = shareRead<AccountDoc>(findAccounts);

/** Identifies each caller, or says why they are refused, in order. It reads all of them together, inside the transaction. */
export function identifyCallers(
  app: App,
  callers: readonly Caller[],
  requiredScope: KeyScope,
  tx: TxContext,
): Promise<(Identity | AppError)[]> {
  const { db } = app.mongo;
  const reads: Reads = {
    keys: (hashes) => findKeysByHash(db, hashes, tx),
    accounts: (ids) => findAccountsIn(db, ids, tx),
  };
  return identify(app, callers, requiredScope, { now: tx.now, reads });
}

/** Identifies one caller, or throws the AppError. It reads together with all callers of the process that wait at the same time. */
export async function authenticate(app: App, caller: Caller, requiredScope: KeyScope): Promise<Identity> {
  const context = { now: app.clock.now(), reads: readsFor(app.mongo.db, caller) };
  const [identity] = await identify(app, [caller], requiredScope, context);
  if (!identity) throw new AppError("missing_key");
  if (identity instanceof AppError) throw identity;
  return identity;
}

/**
 * A member's key, or the signed-in user, who needs no membership. Throws missing_key, invalid_key (also for a generation key from another
 * source), account_suspended, membership_inactive.
 */
export async function authenticateMember(app: App, caller: Caller): Promise<Identity> {
  if (caller.kind === "key" && caller.source !== "member") throw new AppError("invalid_key");
  return authenticate(app, caller, "read");
}

/** The account of each key that was found lately. It never changes, so a known key is read at the same time as its account. */
const accountsOfKeys = new Map<string, string>();

function readsFor(db: Db, caller: Caller): Reads {
  const known = caller.kind === "key" ? accountsOfKeys.get(caller.keySha256) : undefined;
  const early = known === undefined ? undefined : readAccounts(db, [known]);
  // A failure is handled where the account is read. It is not read if reading the key fails first.
  early?.catch(() => {});
  return {
    keys: async (hashes) => {
      const found = await readKeys(db, hashes);
      for (const { _id, account_id } of found.values()) {
        if (accountsOfKeys.size >= MOST_KNOWN) accountsOfKeys.clear();
        accountsOfKeys.set(_id, account_id);
      }
      return found;
    },
    accounts: (ids) => (early && ids[0] === known ? early : readAccounts(db, ids)),
  };
}

type Reads = {
  keys(hashes: readonly string[]): Promise<ReadonlyMap<string, KeyDoc>>;
  accounts(ids: readonly string[]): Promise<ReadonlyMap<string, AccountDoc>>;
};

async function identify(
  app: App,
  callers: readonly Caller[],
  requiredScope: KeyScope,
  { now, reads }: { now: Date; reads: Reads },
): Promise<(Identity | AppError)[]> {
  const [found, plans, tiers] = await Promise.all([
    readCallers(callers, reads),
    app.plans(),
    callers.some(isMember) ? app.tiers() : new Map<string, TierDoc>(),
  ]);
  return found.map(({ caller, key, account }) => {
    const plan = account && planNow(account, plans, now);
    const tier = tiers.get(account?.membership?.tier ?? "");
    const identity = decideCaller(caller, { key, account, plan, tier }, requiredScope, now);
    if (key && !(identity instanceof AppError)) app.noteKeyUse(key._id, now);
    return identity;
  });
}

/** What the database has about each caller, in order. */
async function readCallers(callers: readonly Caller[], reads: Reads) {
  const hashes = new Set(callers.flatMap((caller) => (caller.kind === "key" ? [caller.keySha256] : [])));
  const keys = hashes.size > 0 ? await reads.keys([...hashes]) : new Map<string, KeyDoc>();
  const found = callers.map((caller) => {
    const key = caller.kind === "key" ? keys.get(caller.keySha256) : undefined;
    return { caller, key, accountId: caller.kind === "account" ? caller.accountId : key?.account_id };
  });
  const ids = new Set(found.flatMap(({ accountId }) => accountId ?? []));
  const accounts = ids.size > 0 ? await reads.accounts([...ids]) : new Map<string, AccountDoc>();
  return found.map(({ accountId, ...known }) => ({ ...known, account: accounts.get(accountId ?? "") }));
}
