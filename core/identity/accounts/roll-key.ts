// Replaces a key with a new one. The old key works for a while longer, so that programs can change over without a gap.
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { addKey, drawKey, type MadeKey } from "./create-key.ts";
import { found } from "./revoke-key.ts";
import { endOfReplaced } from "./rules.ts";
import { findKeyOfAccount, saveKeyReplaced } from "./store-keys.ts";
import { type KeyDoc } from "./store.ts";

export type RolledKey = MadeKey & {
  /** The replaced key, which ends at its `expires_at`. */ readonly old: KeyDoc;
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
