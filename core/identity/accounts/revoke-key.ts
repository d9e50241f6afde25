// Ends a key immediately. Every later request reads the database, so no other core has to be told.
import { AppError } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { keyEvent } from "./resource.ts";
import { findKeyLike, type KeyFilter, saveKeyRevoked } from "./store-keys.ts";
import { type KeyDoc } from "./store.ts";

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

export function found(key: KeyDoc | null): KeyDoc {
  if (key) return key;
  throw new AppError("not_found", {
    message: "There is no such key.",
    hint: "Use a key_id from the list of keys.",
  });
}
