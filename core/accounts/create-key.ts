// Makes a generation key. The key itself is answered once and kept nowhere.
import { generateApiKey, hashApiKey, maskApiKey } from "../../runtime/api-key.ts";
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { accountNotFound } from "./get-account.ts";
import { checkKeyAllowed, checkNewKey, type NewKey } from "./rules.ts";
import { countKeyMade, findLiveKeys, findPlans, insertKey, type KeyDoc } from "./store.ts";

/**
 * Answers the whole key as `secret`, for this one time. Throws invalid_request, not_found, account_suspended, plan_excludes_api,
 * key_limit_reached; the limit holds however many creations run at the same time.
 */
export async function createKey(
  app: App,
  accountId: string,
  wanted: NewKey,
): Promise<{ secret: string; key: KeyDoc }> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const { name, scope, expiresAt } = checkNewKey(wanted, now);
  const secret = generateApiKey("gen");
  const key: KeyDoc = {
    _id: hashApiKey(secret),
    key_id: app.newId("key"),
    account_id: accountId,
    kind: "gen",
    name,
    scope,
    masked: maskApiKey(secret),
    created_at: now,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
  };
  await inTx(app.mongo, async (session) => {
    // First, so that of two creations at once the later one conflicts before it has counted.
    const account = await countKeyMade(db, accountId, session);
    if (!account) throw accountNotFound();
    const plan = (await findPlans(db, session)).get(account.plan);
    const live = await findLiveKeys(db, accountId, key.kind, now, session);
    checkKeyAllowed(account, plan, live.length);
    await insertKey(db, key, session);
  });
  return { secret, key };
}
