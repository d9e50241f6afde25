// Finds accounts and keys for an operator who knows only a part: the beginning of an address, a word of a name, the end of a key.
import type { App } from "../../kernel/app.ts";
import { normaliseEmail } from "./rules.ts";
import { findKeysByHash } from "./store-keys.ts";
import { findAccountsNamed, findEmailsFrom, findKeyById, findKeysEnding } from "./store-look-up.ts";
import { type AccountDoc, type EmailDoc, findAccounts, type KeyDoc } from "./store.ts";

type LookUp = Pick<App, "mongo">;

/** The number of newest documents that are searched without an index. */
export const LOOKED_THROUGH = 20_000;
/** The shortest part of a name that is searched. */
const MIN_NAME = 2;

/** Includes deleted accounts. */
export async function accountById({ mongo }: LookUp, accountId: string): Promise<AccountDoc | undefined> {
  return (await findAccounts(mongo.db, [accountId])).get(accountId);
}

/** Accounts whose current or reserved address begins with this text. */
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

/** The newest accounts with this text in their name, in any case. */
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

/** The newest keys with this ending; a key is shown by its kind and its last four characters. */
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
