// Reviews of products by their owners. Each read checks that the author still has a licence, so a refund or a dispute needs no step here.
import { AppError } from "../../../proto/codes.ts";
import type { ReviewText } from "../../../proto/resources/review.ts";
import type { ListReviewsReplyInput } from "../../../proto/types/atelier/v1/ListReviewsReply.ts";
import type { RatingInput } from "../../../proto/types/atelier/v1/Rating.ts";
import type { ReviewInput } from "../../../proto/types/atelier/v1/Review.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { findProduct } from "../catalog/find-product.ts";
import { isPublicStatus } from "../catalog/rules.ts";
import { findLiveLicence } from "../memberships/licences.ts";
import {
  findOwnReviews,
  findReview,
  findReviewsOf,
  findShown,
  putReview,
  removeReview,
  type ReviewDoc,
  saveHidden,
  sumRatings,
} from "./store-reviews.ts";

/** The number of reviews with their words. */
const NEWEST = 10;
const MAX_RATED = 100;

/** The shown reviews of a product; `accountId` is the reader, who also gets their own. Empty if the product is not public. */
export async function listReviews(
  app: App,
  slug: string,
  accountId: string | undefined,
): Promise<ListReviewsReplyInput> {
  const product = await findProduct(app, slug);
  if (!product || !isPublicStatus(product.status)) return { newest: [] };
  const { db } = app.mongo;
  const { _id: productId } = product;
  const [[rating], own] = await Promise.all([
    listRatings(app, [productId]),
    accountId === undefined ? null : findReview(db, { accountId, productId }),
  ]);
  return {
    count: rating?.count ?? 0,
    average: rating?.average ?? 0,
    newest: rating ? (await findShown(db, productId, NEWEST)).map(toReview) : [],
    own: own && toReview(own),
  };
}

/** How shown reviews rate these products; nothing for those without any. Throws invalid_request for too many. */
export async function listRatings(
  { mongo }: Pick<App, "mongo">,
  productIds: readonly string[],
): Promise<RatingInput[]> {
  if (productIds.length > MAX_RATED)
    throw new AppError("invalid_request", {
      message: `Ratings were asked of ${productIds.length} products, and at most ${MAX_RATED} are possible.`,
      hint: "Ask for fewer products.",
    });
  const sums = await sumRatings(mongo.db, productIds);
  return sums.map(({ _id, count, average }) => ({
    product_id: _id,
    count,
    average: Math.round(average * 100) / 100,
  }));
}

/** Throws product_not_found, and invalid_request without a live licence of the product. */
export async function writeReview(
  app: App,
  accountId: string,
  { slug, ...said }: ReviewText & { slug: string },
): Promise<ReviewDoc> {
  const product = await findProduct(app, slug);
  if (!product || !isPublicStatus(product.status)) throw new AppError("product_not_found");
  const { _id: productId, name } = product;
  if (!(await findLiveLicence(app, accountId, productId)))
    throw new AppError("invalid_request", {
      message: `Only owners can review ${name}, and this account has no licence of it.`,
      hint: "Get the product first. Then write the review on its page.",
    });
  return putReview(app.mongo.db, {
    _id: app.newId("rev"),
    account_id: accountId,
    product_id: productId,
    product_slug: product.slug,
    ...said,
    written_at: app.clock.now(),
  });
}

/** Also of a product that is no longer public, or owned. Without a review it does nothing. */
export async function removeOwnReview(app: App, accountId: string, slug: string): Promise<void> {
  const product = await findProduct(app, slug);
  if (product) await removeReview(app.mongo.db, { accountId, productId: product._id });
}

/** For operators: all of a product, newest first. Throws product_not_found. */
export async function listProductReviews(
  app: App,
  slug: string,
  request: PageRequest,
): Promise<Page<ReviewDoc>> {
  return pageById(request, async (beforeId, limit) => {
    const product = await findProduct(app, slug);
    if (!product) throw new AppError("product_not_found", { message: "No product has this slug." });
    return findReviewsOf(app.mongo.db, { productId: product._id, beforeId }, limit);
  });
}

/** Newest first. */
export function listOwnReviews(app: App, accountId: string, request: PageRequest) {
  return pageById(request, (beforeId, limit) => findOwnReviews(app.mongo.db, { accountId, beforeId }, limit));
}

/** Throws not_found. */
export async function hideReview(app: App, reviewId: string, isHidden: boolean): Promise<ReviewDoc> {
  const review = await saveHidden(app.mongo.db, reviewId, isHidden ? app.clock.now() : undefined);
  if (review) return review;
  throw new AppError("not_found", {
    message: "There is no such review.",
    hint: "Use a review_id from review list.",
  });
}

/** As everyone may read it. */
export function toReview(review: ReviewDoc): ReviewInput {
  const { _id, product_slug, stars, text, name, written_at, hidden_at } = review;
  return {
    review_id: _id,
    product_slug,
    stars,
    text,
    name,
    written_at: written_at.toISOString(),
    hidden: hidden_at !== undefined,
  };
}

export function toReviewForOperators(review: ReviewDoc): ReviewInput {
  return { ...toReview(review), account_id: review.account_id };
}
