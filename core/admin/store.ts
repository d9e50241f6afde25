// What operators changed. Insert and read only.
import type { Db } from "../mongo/client.ts";
import type { CollectionSpec } from "../mongo/indexes.ts";

/** Updates: never. Deletion: never. */
export type AdminLogDoc = {
  _id: string;
  /** Name of the service whose token was used. */
  who: string;
  /** RPC method. */
  what: string;
  /** Account, key, model or service name, as it was given. */
  target: string;
  /** What was asked beside the target, for example the new plan. Never a secret. */
  detail: string;
  at: Date;
  request_id: string;
};

export const ADMIN_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "admin_log",
    indexes: [
      {
        name: "target_at",
        key: { target: 1, at: -1 },
        why: "what operators did to one account, key, model or service",
      },
    ],
  },
];

export async function insertAdminLog(db: Db, row: AdminLogDoc): Promise<void> {
  await db.collection<AdminLogDoc>("admin_log").insertOne(row);
}
