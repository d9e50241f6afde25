// The keys of an account, masked: live ones and earlier ones.
import type { KeyKind } from "../../../runtime/keys/api-key.ts";
import type { App } from "../../kernel/app.ts";
import { findKeysOfAccount, findLiveKeys } from "./store-keys.ts";
import { type KeyDoc } from "./store.ts";

/** The most keys that are read by age. Older revoked ones are not needed. */
const MAX_RECENT = 200;

/** The account's generation keys, newest first: every live one, and the most recent of the others. */
export async function listKeys(app: App, accountId: string): Promise<KeyDoc[]> {
  return listKeysOfKind(app, accountId, "gen");
}

/** For support: the account's member keys, in the same way. */
export async function listMemberKeys(app: App, accountId: string): Promise<KeyDoc[]> {
  return listKeysOfKind(app, accountId, "mem");
}

async function listKeysOfKind(app: App, accountId: string, kind: KeyKind): Promise<KeyDoc[]> {
  const { db } = app.mongo;
  const recent = await findKeysOfAccount(db, accountId, kind, MAX_RECENT);
  if (recent.length < MAX_RECENT) return recent;
  // A live key may be older than the newest 200; it must stay in the list.
  const listed = new Set(recent.map(({ key_id }) => key_id));
  const live = await findLiveKeys(db, accountId, kind, app.clock.now());
  return [...recent, ...live.filter(({ key_id }) => !listed.has(key_id))];
}
