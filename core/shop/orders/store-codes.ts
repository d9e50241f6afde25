// Documents of discount codes, and the orders that have them. Named queries only; no decisions.
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { type OrderDoc, orders } from "./store.ts";

/**
 * A discount for everyone who enters its name at checkout: a percentage or an amount. Updates: its end, and `applied`. Deletion: never,
 * orders name it. Guarantees: no more orders have it than its limits allow.
 */
export type DiscountCodeDoc = {
  /** In capitals. */
  _id: string;
  percent: number | null;
  off_cents: number | null;
  /** null: every product. */
  product_id: string | null;
  product_slug: string | null;
  expires_at: Date | null;
  /** The maximum number of orders, of all accounts and of each; null: any number. */
  max_uses: number | null;
  max_uses_each: number | null;
  created_at: Date;
  /** Changes with every order that asks for the code, so that two transactions never count the same uses. */
  applied: number;
};

export type Uses = { readonly total: number; readonly byAccount: number };

/** An order with a code, as the audit reads it. */
export type CodeUse = {
  readonly account_id: string;
  readonly order_id: string;
  readonly product_id: string | null;
  readonly code: string;
  readonly percent: number | null;
  readonly off_cents: number | null;
};

export const CODE_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "discount_codes", holds: "nothing of an account", indexes: [] },
];

const codes = collectionNamed<DiscountCodeDoc>("discount_codes");

/** Throws a duplicate key if it exists. */
export async function insertCode(db: Db, code: DiscountCodeDoc): Promise<void> {
  await codes(db).insertOne(code);
}

/** The newest first. */
export async function findCodes(db: Db, snapshot: Partial<SnapshotContext> = {}): Promise<DiscountCodeDoc[]> {
  return codes(db).find({}, snapshot).sort({ created_at: -1, _id: 1 }).toArray();
}

/** Null if there is none, or if it has ended already. */
export async function endCode(db: Db, name: string, at: Date): Promise<DiscountCodeDoc | null> {
  return codes(db).findOneAndUpdate(
    { _id: name, $or: [{ expires_at: null }, { expires_at: { $gt: at } }] },
    { $set: { expires_at: at } },
    { returnDocument: "after" },
  );
}

/** Reads it so that no other transaction can at the same time. */
export async function claimCode(
  db: Db,
  name: string,
  { session }: TxContext,
): Promise<DiscountCodeDoc | null> {
  return codes(db).findOneAndUpdate({ _id: name }, { $inc: { applied: 1 } }, { session });
}

/** Orders in any other state have used their code, also before they are paid. */
const USING = { state: { $nin: ["expired" as const, "cancelled" as const, "failed" as const] } };
/** One row for each order that uses a code, with the reduction of the code alone. */
const ALL_USES = [
  { $match: { "reductions.code": { $type: "string" }, ...USING } },
  { $unwind: "$reductions" },
  { $match: { "reductions.kind": "code" } },
];

/** The uses by all orders but this one. */
export async function countUses(
  db: Db,
  name: string,
  { _id, account_id }: Pick<OrderDoc, "_id" | "account_id">,
  { session }: TxContext,
): Promise<Uses> {
  const [counted] = await orders(db)
    .aggregate<Uses>(
      [
        { $match: { "reductions.code": name, _id: { $ne: _id }, ...USING } },
        {
          $group: {
            _id: null,
            total: { $sum: 1 },
            byAccount: { $sum: { $cond: [{ $eq: ["$account_id", account_id] }, 1, 0] } },
          },
        },
      ],
      { session },
    )
    .toArray();
  return counted ?? { total: 0, byAccount: 0 };
}

/** How many orders have each code. */
export async function countAllUses(db: Db): Promise<Map<string, number>> {
  const counted = await orders(db)
    .aggregate<{ _id: string; uses: number }>([
      ...ALL_USES,
      { $group: { _id: "$reductions.code", uses: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(counted.map(({ _id, uses }) => [_id, uses]));
}

/** For the audit: all uses of all codes. */
export async function findCodeUses(db: Db, { session }: SnapshotContext): Promise<CodeUse[]> {
  return orders(db)
    .aggregate<CodeUse>(
      [
        ...ALL_USES,
        {
          $project: {
            _id: 0,
            account_id: 1,
            order_id: "$_id",
            product_id: { $first: "$items.product_id" },
            code: "$reductions.code",
            percent: "$reductions.percent",
            off_cents: "$reductions.off_cents",
          },
        },
      ],
      { session },
    )
    .toArray();
}
