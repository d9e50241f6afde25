// The licence of an order. It is given, suspended, restored and taken back, each time within the order's transaction.
import { AppError } from "../../../proto/codes.ts";
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { kindsThatCover, type LicenceKind } from "../../../proto/resources/membership.ts";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { membershipRights } from "../../identity/accounts/membership-rules.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { App } from "../../kernel/app.ts";
import { checkLicenceAllowed } from "./rules.ts";
import { findLicence, findLiveLicence, insertLicence, type LicenceDoc, rest, revive } from "./store.ts";

export type BoughtLicence = {
  account: AccountDoc;
  product: { _id: string; slug: string; name: string; plus_only: boolean };
  kind: LicenceKind;
};

/**
 * Returns what the buyer's membership takes off the price now. Throws already_owned, also for one that a licence of the account covers, and
 * membership_required if the membership does not allow it now.
 */
export async function checkLicenceForSale(
  app: App,
  { account, product, kind }: BoughtLicence,
  at: Date,
  tx?: ReadContext,
): Promise<{ memberPercent: number }> {
  const tier = (await app.tiers()).get(account.membership?.tier ?? "");
  const { plusProducts, discountPercent } = membershipRights(account.membership, tier, at);
  checkLicenceAllowed("purchase", product, plusProducts);
  const key = { accountId: account._id, productId: product._id, kinds: kindsThatCover(kind) };
  const owned = await findLiveLicence(app.mongo.db, key, tx);
  if (owned) throw alreadyOwned(product.name, { owned: owned.kind, wanted: kind });
  return { memberPercent: discountPercent };
}

function alreadyOwned(
  productName: string,
  { owned, wanted }: { owned: LicenceKind; wanted: LicenceKind },
): AppError {
  const covers = owned === wanted ? "" : `, which covers everything that the ${wanted} licence allows`;
  return new AppError("already_owned", {
    message: `You already have the ${owned} licence of ${productName}${covers}.`,
  });
}

/**
 * Gives one licence for each order, by its id. `upgradeOf` is the order of the licence that an upgrade builds on. Throws what
 * checkLicenceForSale throws, and not_for_sale where that licence has ended.
 */
export async function giveBoughtLicence(
  app: App,
  tx: TxContext,
  bought: BoughtLicence,
  { orderId, upgradeOf }: { orderId: string; upgradeOf: string | undefined },
): Promise<LicenceDoc> {
  await checkLicenceForSale(app, bought, tx.now, tx);
  const base = upgradeOf === undefined ? null : await findLicence(app.mongo.db, licenceOf(upgradeOf), tx);
  if (base && base.revoked_at !== null)
    throw new AppError("not_for_sale", {
      message: `The licence of ${bought.product.name} that this upgrades has ended.`,
    });
  const { account, product, kind } = bought;
  const licence: LicenceDoc = {
    _id: licenceOf(orderId),
    account_id: account._id,
    product_id: product._id,
    product_slug: product.slug,
    product_name: product.name,
    kind,
    source: "purchase",
    terms_version: currentTerms(kind).version,
    order_id: orderId,
    granted_at: tx.now,
    revoked_at: null,
  };
  await insertLicence(app.mongo.db, licence, tx);
  return licence;
}

/** Repeating it changes nothing. If `isPermanent` is false, the licence is only suspended until a dispute is decided. */
export async function takeBoughtLicence(
  app: App,
  tx: TxContext,
  orderId: string,
  isPermanent: boolean,
): Promise<void> {
  await rest(app.mongo.db, { licenceId: licenceOf(orderId), at: tx.now, isPermanent }, tx);
}

/** Makes a suspended licence live again, unless the account has got another licence of this kind in the meantime. */
export async function restoreBoughtLicence(app: App, tx: TxContext, orderId: string): Promise<void> {
  await revive(app.mongo.db, licenceOf(orderId), tx);
}

function licenceOf(orderId: string): string {
  return `lic_${withoutPrefix(orderId)}`;
}
