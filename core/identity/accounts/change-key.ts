// Changes the terms of a key in use: its name, its spending limit, and the threshold above which it needs approval.
import { AppError } from "../../../proto/codes.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { found } from "./revoke-key.ts";
import { changedKey, type KeyChange } from "./rules.ts";
import { findKeyOfAccount, saveKeyTerms, saveRaised } from "./store-keys.ts";
import type { KeyDoc, RaisedThreshold } from "./store.ts";

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
