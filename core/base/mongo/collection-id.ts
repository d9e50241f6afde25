// Tells a collection from a copy of it, such as one that was restored from a backup.
import type { CollectionInfo } from "mongodb";
import type { Db } from "./client.ts";

/** The id that the server gave the collection, in hex; undefined where it does not exist. */
export async function collectionId(db: Db, name: string): Promise<string | undefined> {
  const found = await db.listCollections({ name }, { nameOnly: false }).next();
  return (found as CollectionInfo | null)?.info?.uuid?.toString("hex");
}
