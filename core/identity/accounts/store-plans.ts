// Plans and their prices.
import type { Db } from "../../base/mongo/client.ts";
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import { insertsOfMissing } from "../../base/mongo/upsert.ts";
import type { PlanDoc } from "../../kernel/definitions.ts";
import { plans } from "./store.ts";

export async function findPlans(db: Db, { session }: ReadContext = {}): Promise<Map<string, PlanDoc>> {
  const found = await plans(db)
    .find({}, { ...(session && { session }) })
    .sort({ order: 1 })
    .toArray();
  return new Map(found.map((plan) => [plan._id, plan]));
}

/** Inserts missing plans. An existing plan only gets a price if it never had one. */
export async function insertMissingPlans(db: Db, wanted: readonly PlanDoc[]): Promise<void> {
  const prices = wanted.flatMap(({ _id, price_cents }) =>
    price_cents === undefined
      ? []
      : [
          {
            updateOne: {
              filter: { _id, price_cents: { $exists: false } },
              update: { $set: { price_cents } },
            },
          },
        ],
  );
  await plans(db).bulkWrite([...insertsOfMissing(wanted), ...prices], { ordered: false });
}

/** Null if there is no such plan. */
export async function savePlanPrice(db: Db, planId: string, priceCents: number): Promise<PlanDoc | null> {
  return plans(db).findOneAndUpdate(
    { _id: planId },
    { $set: { price_cents: priceCents } },
    { returnDocument: "after" },
  );
}
