// Documents of shares: public links to outputs. Named queries only; no decisions.
import type { GoneFields } from "../../base/documents/fields.ts";
import { findingById } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { type CollectionSpec, expiryIndex } from "../../base/mongo/indexes.ts";
import { SHARE_FIELDS } from "./fields.ts";

/**
 * A link by which anyone may see one output. An output has at most one.
 *
 * Updates: whether it shows the prompt. Deletion: by its owner, with its account, else by MongoDB when the output expires.
 */
export type ShareDoc = {
  /** Random: everyone who has it may see the output. */
  _id: string;
  account_id: string;
  job_id: string;
  output_id: string;
  shows_prompt: boolean;
  created_at: Date;
  expires_at: Date;
};

export const SHARES: CollectionSpec = {
  name: "shares",
  holds: SHARE_FIELDS satisfies GoneFields<ShareDoc>,
  indexes: [
    {
      name: "output",
      key: { account_id: 1, job_id: 1, output_id: 1 },
      options: { unique: true },
      why: "the share of an output, and those of a job and of an account",
    },
    expiryIndex("MongoDB removes shares of outputs that have expired"),
  ],
};

const shares = collectionNamed<ShareDoc>("shares");

/** Returns the share of the output, which keeps its id if there was one. */
export async function upsertShare(db: Db, share: ShareDoc): Promise<ShareDoc> {
  const { account_id, job_id, output_id, shows_prompt, ...fresh } = share;
  const saved = await shares(db).findOneAndUpdate(
    { account_id, job_id, output_id },
    { $set: { shows_prompt }, $setOnInsert: fresh },
    { upsert: true, returnDocument: "after" },
  );
  if (!saved) throw new Error("an upsert returns a document");
  return saved;
}

export const findShare = findingById(shares);

/** Of an account, or of one of its jobs. */
export async function findShares(
  db: Db,
  of: Pick<ShareDoc, "account_id"> & Partial<Pick<ShareDoc, "job_id">>,
): Promise<ShareDoc[]> {
  return shares(db).find(of).toArray();
}

export async function deleteShare(
  db: Db,
  of: Pick<ShareDoc, "account_id" | "job_id" | "output_id">,
): Promise<void> {
  await shares(db).deleteOne(of);
}

export async function deleteShares(db: Db, accountId: string): Promise<void> {
  await shares(db).deleteMany({ account_id: accountId });
}
