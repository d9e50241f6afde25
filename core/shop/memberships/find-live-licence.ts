// Whether accounts may use a product now, for other slices.
import type { App } from "../../kernel/app.ts";
import { isLive } from "./rules.ts";
import { findLicencesOf, type LicenceDoc } from "./store.ts";

/** A live licence of the product, of whichever kind; the oldest. */
export async function findLiveLicence(
  app: Pick<App, "mongo">,
  accountId: string,
  productId: string,
): Promise<LicenceDoc | undefined> {
  return (await findLicencesOf(app.mongo.db, { accountId, productId })).find(isLive);
}

/** Stages that leave the documents whose account has a live licence of their product, of any kind. */
export const OF_HOLDERS = [
  {
    $lookup: {
      from: "licences",
      localField: "account_id",
      foreignField: "account_id",
      let: { productId: "$product_id" },
      pipeline: [
        { $match: { revoked_at: null, $expr: { $eq: ["$product_id", "$$productId"] } } },
        { $limit: 1 },
        { $project: { _id: 1 } },
      ],
      as: "live_licence",
    },
  },
  { $match: { live_licence: { $ne: [] } } },
  { $unset: "live_licence" },
];
