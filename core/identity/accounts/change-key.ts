// Changes a key in use: its name, its spending limit, the threshold above which it needs approval, its secret, and its end.
import { AppError } from "../../../proto/codes.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { addKey, drawKey, type MadeKey } from "./create-key.ts";
import { keyEvent } from "./resource.ts";
import { changedKey, endOfReplaced, type KeyChange } from "./rules.ts";
import {
  findKeyLike,
  findKeyOfAccount,
  type KeyFilter,
  saveKeyReplaced,
  saveKeyRevoked,
  saveKeyTerms,
  saveRaised,
} from "./store-keys.ts";
import type { KeyDoc, RaisedThreshold } from "./store.ts";

/**
 * Two changes at the same time both stand. A limit takes effect on the next job, and what the key has spent this month under an earlier limit
 * counts. Throws invalid_request, and not_found for another account's key just as for one that does not exist.
 */
export async function changeKey(
  app: App,
  { accountId, keyId }: { accountId: string; keyId: string },
  change: KeyChange,
): Promise<KeyDoc> {
  const { db } = app.mongo;
  return inTx(app, async (tx) => {
    const key = found(await findKeyOfAccount(db, { accountId, keyId }, tx));
    return found(await saveKeyTerms(db, key, changedKey(key, change, tx.now), tx));
  });
}

/** Throws not_found for a raise of a key that the owner does not see, that was revoked or that has no threshold. */
export async function raiseThreshold(
  { mongo }: Pick<App, "mongo">,
  key: Pick<KeyDoc, "account_id" | "key_id">,
  raised: RaisedThreshold | undefined,
  tx: TxContext,
): Promise<void> {
  if ((await saveRaised(mongo.db, key, raised, tx)) || !raised) return;
  throw new AppError("not_found", {
    message: "The key of this request is not one of your API keys that ask, or was revoked.",
    hint: "Approve the request alone.",
  });
}

type RolledKey = MadeKey & {
  /** The replaced key, which ends at its `expires_at`. */
  readonly old: KeyDoc;
};

/**
 * The new key has the name, scope, expiry, limit and approval threshold of the old one, and starts with its spending this month. From then
 * on each counts its own spending. Throws invalid_request, account_suspended, plan_excludes_api, key_limit_reached, and not_found for
 * another account's key as for an unknown one.
 */
export async function rollKey(
  app: App,
  { accountId, keyId }: { accountId: string; keyId: string },
  overlap: string,
): Promise<RolledKey> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const known = found(await findKeyOfAccount(db, { accountId, keyId }));
  endOfReplaced(known, overlap, now);
  const drawn = drawKey(app, now, inheritedTerms(known));
  return inTx({ mongo: app.mongo, now }, async (tx) => {
    // Read again, because it may have been revoked, rolled or changed since.
    const old = found(await findKeyOfAccount(db, { accountId, keyId }, tx));
    const key: KeyDoc = { ...drawn.key, ...inheritedTerms(old) };
    const ended = { ...old, replaced_by: key.key_id, expires_at: endOfReplaced(old, overlap, now) };
    await addKey(app, key, tx);
    await saveKeyReplaced(db, ended, tx);
    return { secret: drawn.secret, key, old: ended };
  });
}

function inheritedTerms(key: KeyDoc) {
  const { account_id, kind, name, scope, expires_at, max_credits, caps, confirm_above, spent, spent_in } =
    key;
  return {
    account_id,
    kind,
    name,
    scope,
    expires_at,
    ...(max_credits !== undefined && { max_credits }),
    ...(confirm_above !== undefined && { confirm_above }),
    ...(caps && { caps }),
    ...(spent && { spent }),
    ...(spent_in && { spent_in }),
  };
}

/**
 * Revokes a generation key of this account. Doing so twice is no error and changes nothing. Throws not_found alike for a key of another
 * account, a key of another kind and a key that does not exist.
 */
export async function revokeKey(app: App, accountId: string, keyId: string): Promise<KeyDoc> {
  return revokeWhere(app, { key_id: keyId, account_id: accountId, kind: "gen" });
}

/** For support: revokes a member key. Throws not_found, also for a key of another kind. */
export async function revokeMemberKey(app: App, keyId: string): Promise<KeyDoc> {
  return revokeWhere(app, { key_id: keyId, kind: "mem" });
}

/** For operators: revokes a key of any account. Throws not_found. */
export async function revokeAnyKey(app: App, keyId: string): Promise<KeyDoc> {
  return revokeWhere(app, { key_id: keyId, kind: "gen" });
}

async function revokeWhere(app: App, filter: KeyFilter): Promise<KeyDoc> {
  return inTx(app, async (tx) => {
    const known = found(await findKeyLike(app.mongo.db, filter, tx));
    if (known.revoked_at) return known;
    const revoked = { ...known, revoked_at: tx.now };
    await saveKeyRevoked(app.mongo.db, revoked, tx);
    await recordEvents(app, tx, [keyEvent("key.revoked", revoked)]);
    return revoked;
  });
}

function found(key: KeyDoc | null): KeyDoc {
  if (key) return key;
  throw new AppError("not_found", {
    message: "There is no such key.",
    hint: "Use a key_id from the list of keys.",
  });
}
