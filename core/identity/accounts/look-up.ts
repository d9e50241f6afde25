// Finds accounts and keys for an operator who knows only a part: the beginning of an address, a word of a name, the end of a key.
import type { App } from "../../kernel/app.ts";
import { normaliseEmail } from "./rules.ts";
import { type AccountDoc, type EmailDoc, findAccounts, type KeyDoc } from "./store.ts";
import { findKeysByHash } from "./store-keys.ts";
import { findAccountsNamed, findEmailsFrom, findKeyById, findKeysEnding } from "./store-look-up.ts";

type LookUp = Pick<App, "mongo">;

/** What has no index is looked for among so many of the newest. */
export const LOOKED_THROUGH = 20_000;
/** The shortest part of a name that says anything. */
const MIN_NAME = 2;

/** Also one that is deleted. */
export async function accountById({ mongo }: LookUp, accountId: string): Promise<AccountDoc | undefined> {
  return (await findAccounts(mongo.db, [accountId])).get(accountId);
}

/** Those whose address begins so, and those that only keep such an address for a while. */
export async function accountsByEmail(
  { mongo }: LookUp,
  beginning: string,
  limit: number,
): Promise<{ account: AccountDoc; email: EmailDoc }[]> {
  const found = await findEmailsFrom(mongo.db, normaliseEmail(beginning), limit);
  const accounts = await findAccounts(
    mongo.db,
    found.map(({ account_id }) => account_id),
  );
  return found.flatMap((email) => {
    const account = accounts.get(email.account_id);
    return account ? [{ account, email }] : [];
  });
}

/** Those of the newest accounts with this part in their name, in upper or lower case. */
export async function accountsByName({ mongo }: LookUp, part: string, limit: number): Promise<AccountDoc[]> {
  if (part.length < MIN_NAME) return [];
  return findAccountsNamed(mongo.db, part, { among: LOOKED_THROUGH, limit });
}

export async function keyById({ mongo }: LookUp, keyId: string): Promise<KeyDoc | undefined> {
  return (await findKeyById(mongo.db, keyId)) ?? undefined;
}

export async function keyByHash({ mongo }: LookUp, sha256: string): Promise<KeyDoc | undefined> {
  return (await findKeysByHash(mongo.db, [sha256])).get(sha256);
}

/** Those of the newest keys that end so; a key is shown by its kind and its last four characters. */
export async function keysByEnd({ mongo }: LookUp, end: string, limit: number): Promise<KeyDoc[]> {
  return findKeysEnding(mongo.db, end, { among: LOOKED_THROUGH, limit });
}

/** The status of each of these accounts. */
export async function statusesOf(
  { mongo }: LookUp,
  accountIds: readonly string[],
): Promise<Map<string, AccountDoc["status"]>> {
  const found = await findAccounts(mongo.db, accountIds);
  return new Map([...found].map(([id, { status }]) => [id, status]));
}
