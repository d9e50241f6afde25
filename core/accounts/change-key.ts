// Another name or spending limit for a key that is in use.
import type { App } from "../app.ts";
import { found } from "./revoke-key.ts";
import { changedKey, type KeyChange } from "./rules.ts";
import { findKeyOfAccount, type KeyDoc, saveKeyTerms } from "./store.ts";

/**
 * A limit bites on the next job; what the key has spent this month under an earlier one counts. Throws invalid_request, and not_found: a
 * key of another account and one that does not exist look the same.
 */
export async function changeKey(
  app: App,
  { accountId, keyId }: { accountId: string; keyId: string },
  change: KeyChange,
): Promise<KeyDoc> {
  const { db } = app.mongo;
  const key = found(await findKeyOfAccount(db, { accountId, keyId }));
  return found(await saveKeyTerms(db, key, changedKey(key, change, app.clock.now())));
}
