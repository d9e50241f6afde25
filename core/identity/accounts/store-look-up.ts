// Searches accounts and keys by a part of their data. Without an index, only the newest are searched.
import type { Db } from "../../base/mongo/client.ts";
import { asItStands } from "../../base/mongo/due.ts";
import { type AccountDoc, accounts, type EmailDoc, emails, type KeyDoc, keys } from "./store.ts";

const BOUND_MS = 2_000;
/** Sorts after every character of an address. */
const LAST = "\u{10ffff}";

type Bounds = { readonly among: number; readonly limit: number };

/** Addresses that begin so, in use or reserved, in their order. */
export async function findEmailsFrom(db: Db, beginning: string, limit: number): Promise<EmailDoc[]> {
  return emails(db)
    .find({ _id: { $gte: beginning, $lt: `${beginning}${LAST}` } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

/** Newest first. */
export async function findAccountsNamed(
  db: Db,
  part: string,
  { among, limit }: Bounds,
): Promise<AccountDoc[]> {
  return accounts(db)
    .aggregate<AccountDoc>(
      [
        { $sort: { _id: -1 } },
        { $limit: among },
        { $match: { name: { $regex: asItStands(part), $options: "i" } } },
        { $limit: limit },
      ],
      { maxTimeMS: BOUND_MS },
    )
    .toArray();
}

/** Of any kind, live or not. */
export async function findKeyById(db: Db, keyId: string): Promise<KeyDoc | null> {
  return keys(db).findOne({ key_id: keyId });
}

/** Newest first. */
export async function findKeysEnding(db: Db, end: string, { among, limit }: Bounds): Promise<KeyDoc[]> {
  return keys(db)
    .aggregate<KeyDoc>(
      [
        { $sort: { key_id: -1 } },
        { $limit: among },
        { $match: { masked: { $regex: `${asItStands(end)}$` } } },
        { $limit: limit },
      ],
      { hint: "key_id", maxTimeMS: BOUND_MS },
    )
    .toArray();
}
