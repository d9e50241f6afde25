// Changes the name of a key in use, its spending limit, and the threshold above which it needs approval, or ends a raised one.
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { found } from "./revoke-key.ts";
import { changedKey, type KeyChange } from "./rules.ts";
import { type KeyDoc } from "./store.ts";
import { findKeyOfAccount, saveKeyTerms } from "./store-keys.ts";

/**
 * Two changes at the same time both stand. A limit takes effect on the next job, and what the key has spent this month under an earlier limit counts. Throws invalid_request, and
 * not_found for another account's key just as for one that does not exist.
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
