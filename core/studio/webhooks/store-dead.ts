// Deliveries that failed permanently, until an operator has handled them. Named queries only; no decisions.
import { TEST_EVENT } from "../../../proto/resources/callback.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { sameEnd } from "./delivery-id.ts";
import { type DeliveryDoc, deliveries } from "./store.ts";

/** The filter as the index has it. A test event is no one's loss, and is left out below. */
const DEAD = { status: "failed", closed_at: null } as const;

export type DeadFilter = {
  readonly host?: string | undefined;
  readonly accountId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Limits of the ids, which contain when the job was made. */
  readonly fromId?: string | undefined;
  readonly beforeId?: string | undefined;
};

function deadLike({ host, accountId, ids, fromId, beforeId }: DeadFilter) {
  const range = {
    ...(fromId !== undefined && { $gte: fromId }),
    ...(beforeId !== undefined && { $lt: beforeId }),
  };
  return {
    ...DEAD,
    event: { $ne: TEST_EVENT as typeof TEST_EVENT },
    ...(host !== undefined && { host }),
    ...(accountId !== undefined && { account_id: accountId }),
    $and: [
      ...(ids ? [{ _id: { $in: [...ids] } }] : []),
      ...(Object.keys(range).length > 0 ? [{ _id: range }] : []),
      {},
    ],
  };
}

/** Those of the newest jobs first. */
export async function findDead(db: Db, filter: DeadFilter, limit: number): Promise<DeliveryDoc[]> {
  return deliveries(db).find(deadLike(filter), { hint: "dead" }).sort({ _id: -1 }).limit(limit).toArray();
}

export async function countDead(db: Db, atMost: number): Promise<number> {
  return deliveries(db).countDocuments(deadLike({}), { hint: "dead", limit: atMost });
}

export type DeadEndpoint = { readonly host: string; readonly deliveries: number };

/** The receivers with the most of them first. */
export async function findDeadEndpoints(db: Db, limit: number): Promise<DeadEndpoint[]> {
  return deliveries(db)
    .aggregate<DeadEndpoint>(
      [
        { $match: deadLike({}) },
        { $group: { _id: "$host", deliveries: { $sum: 1 } } },
        { $sort: { deliveries: -1, _id: 1 } },
        { $limit: limit },
        { $project: { _id: 0, host: "$_id", deliveries: 1 } },
      ],
      { hint: "dead" },
    )
    .toArray();
}

/** All deliveries of these ends, oldest first, by the beginnings of their ids. */
export async function findDeliveriesByEnd(
  db: Db,
  ends: readonly string[],
  { session }: TxContext,
): Promise<Map<string, DeliveryDoc[]>> {
  if (ends.length === 0) return new Map();
  const ids = ends.map((end) => new RegExp(`^${end}`));
  const found = await deliveries(db)
    .find({ _id: { $in: ids } }, { session, hint: "_id_" })
    .sort({ _id: 1 })
    .toArray();
  return Map.groupBy(found, ({ _id }) => sameEnd(_id));
}

/** Notes that someone has dealt with them. */
export async function closeDead(
  db: Db,
  ids: readonly string[],
  at: Date,
  { session }: TxContext,
): Promise<void> {
  if (ids.length === 0) return;
  await deliveries(db).updateMany(
    { _id: { $in: [...ids] }, ...DEAD },
    { $set: { closed_at: at } },
    { session, hint: "_id_" },
  );
}
