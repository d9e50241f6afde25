// The licences of accounts, whatever their memberships are: given, revoked, listed, and asked for by other slices.
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { searchWords } from "../../../proto/resources/product.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import { membershipRights } from "../../identity/accounts/membership-rules.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { findProduct } from "../catalog/find-product.ts";
import { checkLicenceAllowed, checkLicenceTerms, isLive } from "./rules.ts";
import {
  findLicence,
  findLicences,
  findLicencesOf,
  type LicenceDoc,
  markLicenceRevoked,
  putLicence,
} from "./store.ts";
import { loadTiers } from "./tiers.ts";

const FOR_OPERATORS =
  "Begin or renew the account's membership first. A licence that support gives without one has the source grant.";
/** More say nothing more about a name. */
const MAX_WORDS = 10;

/** `kind` and `source` are unchecked. */
export type WantedLicence = { productSlug: string; kind: string; source: string };

/**
 * A new licence, or the live one of this kind that the account already has for the product. Even if several grants run at the same time,
 * there is only one. Throws invalid_request, not_found, product_not_found, membership_required.
 */
export async function grantLicence(app: App, account: string, wanted: WantedLicence): Promise<LicenceDoc> {
  const { kind, source } = checkLicenceTerms(wanted);
  const now = app.clock.now();
  const [{ _id: accountId, membership }, product, tiers] = await Promise.all([
    getAccount(app, account),
    findProduct(app, wanted.productSlug),
    loadTiers(app),
  ]);
  // A product that was sold once may be archived since; a draft was never for anyone.
  if (!product || product.status === "draft") {
    throw new AppError("product_not_found", {
      message: "No product that was ever published has this slug.",
      hint: "Check the slug against product export.",
    });
  }
  const { plusProducts } = membershipRights(membership, tiers.get(membership?.tier ?? ""), now);
  checkLicenceAllowed(source, product, plusProducts, FOR_OPERATORS);
  return putLicence(app.mongo.db, {
    _id: app.newId("lic"),
    account_id: accountId,
    product_id: product._id,
    product_slug: product.slug,
    product_name: product.name,
    kind,
    source,
    terms_version: currentTerms(kind).version,
    order_id: null,
    granted_at: now,
    revoked_at: null,
  });
}

/** Doing so twice is no error and changes nothing. Throws not_found. */
export async function revokeLicence(app: App, licenceId: string): Promise<LicenceDoc> {
  const licence = await markLicenceRevoked(app.mongo.db, licenceId, app.clock.now());
  if (licence) return licence;
  throw new AppError("not_found", {
    message: "There is no such licence.",
    hint: "Use a licence_id from the list of licences.",
  });
}

const searchSchema = z.object({ search: searchWords });

export type LicenceSearch = PageRequest & { product_id?: string; search?: string };

/** Newest first; of all products or of one, and with these words in their names. Throws invalid_request naming the parameter. */
export async function listLicences(
  app: App,
  accountId: string,
  request: LicenceSearch,
): Promise<Page<LicenceDoc>> {
  const { search } = parseRequest(searchSchema, { search: request.search ?? "" });
  const words = search
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
  const query = { accountId, productId: request.product_id || undefined, words };
  return pageById(request, (beforeId, limit) => findLicences(app.mongo.db, { ...query, beforeId }, limit));
}

export async function licenceById(
  { mongo }: Pick<App, "mongo">,
  licenceId: string,
): Promise<LicenceDoc | undefined> {
  return (await findLicence(mongo.db, licenceId)) ?? undefined;
}

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
