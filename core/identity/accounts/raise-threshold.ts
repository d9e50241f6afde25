// Raises the approval threshold of a key until a time, or ends that, in the transaction of the user's answer.
import { AppError } from "../../../proto/codes.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { KeyDoc, RaisedThreshold } from "./store.ts";
import { saveRaised } from "./store-keys.ts";

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
