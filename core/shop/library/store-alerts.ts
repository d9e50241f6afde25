// Documents of product alerts. Named queries only; no decisions.
import { goneFields, owner } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest, type NewestQuery } from "../../base/mongo/newest.ts";
import { upsertOnce } from "../../base/mongo/upsert.ts";

/**
 * That an account wants a mail once a product is on sale. Updates: never. Deletion: by its owner, with the mail, and with the account.
 * Guarantees: an account has at most one for each product.
 */
export type ProductAlertDoc = {
  _id: string;
  account_id: string;
  product_id: string;
  /** As it was when the account asked. */
  product_slug: string;
  asked_at: Date;
};

export const ALERT_FIELDS = goneFields<ProductAlertDoc>()({
  _id: "hidden",
  account_id: "hidden",
  ...owner("product_id", "product_slug", "asked_at"),
});

export const ALERTS: CollectionSpec = {
  name: "product_alerts",
  holds: ALERT_FIELDS,
  indexes: [
    {
      name: "account_product",
      key: { account_id: 1, product_id: 1 },
      options: { unique: true },
      why: "an account that asks twice gets one mail",
    },
    { name: "product", key: { product_id: 1 }, why: "the products that accounts wait for, and who does" },
  ],
};

type Key = { accountId: string; productId: string };

const alerts = collectionNamed<ProductAlertDoc>("product_alerts");

export async function putAlert(db: Db, alert: ProductAlertDoc): Promise<void> {
  const { account_id, product_id, ...fresh } = alert;
  await upsertOnce(() =>
    alerts(db).updateOne({ account_id, product_id }, { $setOnInsert: fresh }, { upsert: true }),
  );
}

export async function hasAlert(db: Db, { accountId, productId }: Key): Promise<boolean> {
  return (await alerts(db).findOne({ account_id: accountId, product_id: productId })) !== null;
}

/** Newest first. */
export async function findOwnAlerts(db: Db, query: NewestQuery, limit: number): Promise<ProductAlertDoc[]> {
  return findNewest(alerts(db), query, limit);
}

/** The products that accounts wait for. */
export async function findAwaited(db: Db): Promise<string[]> {
  return alerts(db).distinct("product_id");
}

export async function findAlerts(
  db: Db,
  productIds: readonly string[],
  limit: number,
): Promise<ProductAlertDoc[]> {
  return alerts(db)
    .find({ product_id: { $in: [...productIds] } })
    .limit(limit)
    .toArray();
}

export async function deleteAlert(db: Db, { accountId, productId }: Key): Promise<void> {
  await alerts(db).deleteOne({ account_id: accountId, product_id: productId });
}

/** False if it is gone already. */
export async function takeAlert(db: Db, alertId: string, { session }: TxContext): Promise<boolean> {
  return (await alerts(db).deleteOne({ _id: alertId }, { session })).deletedCount > 0;
}

export async function deleteAlerts(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await alerts(db).deleteMany({ account_id: accountId }, { session });
}
