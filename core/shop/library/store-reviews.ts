// Documents of reviews. Named queries only; no decisions.
import { goneFields, owner } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest, type NewestQuery } from "../../base/mongo/newest.ts";
import { upsertOnce } from "../../base/mongo/upsert.ts";
import { OF_HOLDERS } from "../memberships/licences.ts";

/**
 * What an account says about a product. It is shown while the account has a live licence of the product, unless an operator hides it.
 *
 * Updates: by its author; hiding and showing. Deletion: by its author unless it is hidden, and with its account.
 * Guarantees: an account has at most one for each product.
 */
export type ReviewDoc = {
  _id: string;
  account_id: string;
  product_id: string;
  /** As it was when the review was written. */
  product_slug: string;
  stars: number;
  text: string;
  /** Chosen for this review, because the account's own name is not public; empty for none. */
  name: string;
  written_at: Date;
  /** Absent while no operator hides it. */
  hidden_at?: Date;
};

const REVIEW_FIELDS = goneFields<ReviewDoc>()({
  ...owner("_id", "product_id", "product_slug", "stars", "text", "name", "written_at", "hidden_at"),
  account_id: "hidden",
});

export const REVIEWS: CollectionSpec = {
  name: "reviews",
  holds: REVIEW_FIELDS,
  indexes: [
    {
      name: "account_product",
      key: { account_id: 1, product_id: 1 },
      options: { unique: true },
      why: "an account has one review of a product, however many are sent at a time",
    },
    { name: "product_written", key: { product_id: 1, written_at: -1 }, why: "the reviews of a product" },
  ],
};

const NOT_HIDDEN = { hidden_at: { $exists: false } } as const;

const reviews = collectionNamed<ReviewDoc>("reviews");

type Key = { accountId: string; productId: string };

/** Creates the account's review of the product, or replaces what it says. */
export async function putReview(db: Db, review: Omit<ReviewDoc, "hidden_at">): Promise<ReviewDoc> {
  const { _id, account_id, product_id, ...said } = review;
  const put = await upsertOnce(() =>
    reviews(db).findOneAndUpdate(
      { account_id, product_id },
      { $set: said, $setOnInsert: { _id } },
      { upsert: true, returnDocument: "after" },
    ),
  );
  if (!put) throw new Error("an upsert returns a document");
  return put;
}

export async function findReview(db: Db, { accountId, productId }: Key): Promise<ReviewDoc | null> {
  return reviews(db).findOne({ account_id: accountId, product_id: productId });
}

/** Of those that are shown, for each product that has any. */
export async function sumRatings(
  db: Db,
  productIds: readonly string[],
): Promise<{ _id: string; count: number; average: number }[]> {
  return reviews(db)
    .aggregate<{ _id: string; count: number; average: number }>([
      { $match: { product_id: { $in: [...productIds] }, ...NOT_HIDDEN } },
      ...OF_HOLDERS,
      { $group: { _id: "$product_id", count: { $sum: 1 }, average: { $avg: "$stars" } } },
    ])
    .toArray();
}

/** Those that are shown, the last changed first. */
export async function findShown(db: Db, productId: string, limit: number): Promise<ReviewDoc[]> {
  return reviews(db)
    .aggregate<ReviewDoc>([
      { $match: { product_id: productId, ...NOT_HIDDEN } },
      { $sort: { written_at: -1 } },
      ...OF_HOLDERS,
      { $limit: limit },
    ])
    .toArray();
}

/** Of one product, newest first, also hidden ones. */
export async function findReviewsOf(
  db: Db,
  { productId, beforeId }: { productId: string; beforeId: string | undefined },
  limit: number,
): Promise<ReviewDoc[]> {
  return findNewest(reviews(db), { beforeId, where: { product_id: productId } }, limit);
}

/** Of one account, newest first. */
export async function findOwnReviews(db: Db, query: NewestQuery, limit: number): Promise<ReviewDoc[]> {
  return findNewest(reviews(db), query, limit);
}

/** Hides it, or shows it again without a time. Null if there is none. */
export async function saveHidden(
  db: Db,
  reviewId: string,
  hiddenAt: Date | undefined,
): Promise<ReviewDoc | null> {
  const change = hiddenAt ? { $set: { hidden_at: hiddenAt } } : { $unset: { hidden_at: "" as const } };
  return reviews(db).findOneAndUpdate({ _id: reviewId }, change, { returnDocument: "after" });
}

/** A hidden one stays, without its words, so that it cannot be written again in public. */
export async function removeReview(db: Db, { accountId, productId }: Key): Promise<void> {
  const key = { account_id: accountId, product_id: productId };
  await reviews(db).deleteOne({ ...key, ...NOT_HIDDEN });
  await reviews(db).updateOne({ ...key, hidden_at: { $exists: true } }, { $set: { text: "", name: "" } });
}

export async function deleteReviews(db: Db, accountId: string): Promise<void> {
  await reviews(db).deleteMany({ account_id: accountId });
}
