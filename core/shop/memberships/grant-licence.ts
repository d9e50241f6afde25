// Gives an account the licence of a product. It does not end with the membership.
import { AppError } from "../../../proto/codes.ts";
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import { membershipRights } from "../../identity/accounts/membership-rules.ts";
import type { App } from "../../kernel/app.ts";
import { findProduct } from "../catalog/find-product.ts";
import { checkLicenceAllowed, checkLicenceTerms } from "./rules.ts";
import { type LicenceDoc, putLicence } from "./store.ts";
import { loadTiers } from "./tiers.ts";

const FOR_OPERATORS =
  "Begin or renew the account's membership first. A licence that support gives without one has the source grant.";

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
