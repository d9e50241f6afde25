// Documents of membership tiers and licences. Named queries only; no decisions. The membership itself is part of its account.
import type { LicenceKind, LicenceSource } from "../../../proto/resources/membership.ts";
import { type GoneFields, owner } from "../../base/documents/fields.ts";
import { findingById, inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest, type NewestQuery } from "../../base/mongo/newest.ts";
import { insertsOfMissing, upsertOnce } from "../../base/mongo/upsert.ts";
import type { TierDoc } from "../../kernel/definitions.ts";

/**
 * An account's permanent right to use a product. Updates: revocation; a dispute over its payment, and how that was decided. Deletion: with
 * its account. Guarantees: at most one live licence of a kind for each product of an account. It is independent of memberships.
 */
export type LicenceDoc = {
  _id: string;
  account_id: string;
  product_id: string;
  product_slug: string;
  /** As it was when the licence was granted. */
  product_name: string;
  kind: LicenceKind;
  source: LicenceSource;
  /** The version of its kind's terms that it was granted under; absent means the first. */
  terms_version?: number;
  /** The order that paid for it; null if an operator gave it. Absent from licences made before there were orders. */
  order_id?: string | null;
  granted_at: Date;
  revoked_at: Date | null;
  /** True while it is only suspended, until a dispute over its payment is decided; absent otherwise. */
  disputed?: boolean;
};

/** The class of each field of a licence, from its owner's view. */
export const LICENCE_FIELDS = {
  _id: "hidden",
  account_id: "hidden",
  ...owner("product_id", "product_slug", "product_name", "kind", "source", "terms_version", "order_id"),
  ...owner("granted_at", "revoked_at", "disputed"),
} as const;

export const MEMBERSHIP_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "membership_tiers", holds: "nothing of an account", indexes: [] },
  {
    name: "licences",
    holds: LICENCE_FIELDS satisfies GoneFields<LicenceDoc>,
    indexes: [
      { name: "account_newest", key: { account_id: 1, _id: -1 }, why: "the licences of an account" },
      {
        name: "live_once",
        key: { account_id: 1, product_id: 1, kind: 1 },
        options: { unique: true, partialFilterExpression: { revoked_at: null } },
        why: "a repeated grant gives no second licence",
      },
    ],
  },
];

const tiers = collectionNamed<TierDoc>("membership_tiers");
const licences = collectionNamed<LicenceDoc>("licences");

/** Inserts missing tiers. An existing tier only gets prices if it never had any. */
export async function insertMissingTiers(db: Db, wanted: readonly TierDoc[]): Promise<void> {
  const prices = wanted.map(({ _id, monthly_price_cents, yearly_price_cents }) => ({
    updateOne: {
      filter: { _id, monthly_price_cents: { $exists: false }, yearly_price_cents: { $exists: false } },
      update: {
        $set: {
          ...(monthly_price_cents !== undefined && { monthly_price_cents }),
          ...(yearly_price_cents !== undefined && { yearly_price_cents }),
        },
      },
    },
  }));
  await tiers(db).bulkWrite([...insertsOfMissing(wanted), ...prices], { ordered: false });
}

/** null where there is no such tier. */
export async function saveTierTerms(
  db: Db,
  tierId: string,
  terms: Pick<TierDoc, "monthly_price_cents" | "yearly_price_cents" | "discount_percent">,
): Promise<TierDoc | null> {
  return tiers(db).findOneAndUpdate({ _id: tierId }, { $set: terms }, { returnDocument: "after" });
}

/** In their order. */
export async function findTiers(db: Db): Promise<Map<string, TierDoc>> {
  const found = await tiers(db).find().sort({ order: 1 }).toArray();
  return new Map(found.map((tier) => [tier._id, tier]));
}

/** The live licence of this kind for the product: an existing one, or else the given one. */
export async function putLicence(db: Db, licence: LicenceDoc): Promise<LicenceDoc> {
  const { account_id, product_id, kind, ...fields } = licence;
  const found = await upsertOnce(() =>
    licences(db).findOneAndUpdate(
      { account_id, product_id, kind, revoked_at: null },
      { $setOnInsert: fields },
      { upsert: true, returnDocument: "after" },
    ),
  );
  if (!found) throw new Error("an upsert answers a document");
  return found;
}

type LicenceKey = { accountId: string; productId: string; kinds: readonly LicenceKind[] };

/** Of any of these kinds. */
export async function findLiveLicence(
  db: Db,
  { accountId, productId, kinds }: LicenceKey,
  { session }: ReadContext = {},
): Promise<LicenceDoc | null> {
  return licences(db).findOne(
    { account_id: accountId, product_id: productId, kind: { $in: kinds }, revoked_at: null },
    { ...(session && { session }) },
  );
}

export const insertLicence = inserting(licences);

/** Revokes it, permanently or until a dispute is decided. */
export async function rest(
  db: Db,
  { licenceId, at, isPermanent }: { licenceId: string; at: Date; isPermanent: boolean },
  { session }: TxContext,
): Promise<void> {
  await licences(db).updateOne(
    { _id: licenceId, revoked_at: null },
    { $set: { revoked_at: at, ...(!isPermanent && { disputed: true }) } },
    { session },
  );
  if (isPermanent)
    await licences(db).updateOne({ _id: licenceId }, { $unset: { disputed: "" } }, { session });
}

/** Makes a suspended licence live again; it stays revoked if the account has another of this kind by now. */
export async function revive(db: Db, licenceId: string, tx: TxContext): Promise<void> {
  const { session } = tx;
  const resting = await licences(db).findOne({ _id: licenceId, disputed: true }, { session });
  if (!resting) return;
  const { account_id: accountId, product_id: productId, kind } = resting;
  const other = await findLiveLicence(db, { accountId, productId, kinds: [kind] }, tx);
  await licences(db).updateOne(
    { _id: licenceId },
    { ...(!other && { $set: { revoked_at: null } }), $unset: { disputed: "" } },
    { session },
  );
}

/** For the audit: all of one account, at the moment of the session. */
export function streamLicences(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): AsyncIterable<LicenceDoc> {
  return licences(db).find({ account_id: accountId }, { session });
}

/** Newest first; of all products or of one, with all of these words in the product's name. */
export async function findLicences(
  db: Db,
  {
    accountId,
    beforeId,
    productId,
    words,
  }: NewestQuery & { productId?: string | undefined; words: readonly string[] },
  limit: number,
): Promise<LicenceDoc[]> {
  const named = words.map((word) => ({
    product_name: { $regex: word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), $options: "i" },
  }));
  const where = {
    ...(productId !== undefined && { product_id: productId }),
    ...(named.length > 0 && { $and: named }),
  };
  return findNewest(licences(db), { accountId, beforeId, where }, limit);
}

/** Of one product, live and revoked, oldest first. */
export async function findLicencesOf(
  db: Db,
  { accountId, productId }: { accountId: string; productId: string },
): Promise<LicenceDoc[]> {
  return licences(db).find({ account_id: accountId, product_id: productId }).sort({ _id: 1 }).toArray();
}

/** A licence that is already revoked keeps its time. Null if there is none. */
export async function markLicenceRevoked(db: Db, licenceId: string, now: Date): Promise<LicenceDoc | null> {
  const revoked = await licences(db).findOneAndUpdate(
    { _id: licenceId, revoked_at: null },
    { $set: { revoked_at: now } },
    { returnDocument: "after" },
  );
  return revoked ?? licences(db).findOne({ _id: licenceId });
}

export const findLicence = findingById(licences);

export async function deleteLicences(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await licences(db).deleteMany({ account_id: accountId }, { session });
}
