// Endpoints to which the events of an account are sent. Named queries only; no decisions.
import { goneFields, hidden, owner } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import type { Secrets } from "./secret-rules.ts";

/**
 * One endpoint of an account with the secrets that sign its messages.
 *
 * Updates: its owner; the deliverer, where attempts begin or stop to fail. Deletion: by its owner, and with the account.
 */
export type AccountEndpointDoc = Secrets & {
  _id: string;
  account_id: string;
  url: string;
  /** Such as job.completed, or job.* for all of a kind. */
  events: readonly string[];
  created_at: Date;
  /** Of the first failed attempt since the last successful one; absent while there is none. */
  failing_since?: Date;
  /** When it had failed for seven days; absent while it is enabled. */
  disabled_at?: Date;
};

export const ENDPOINT_FIELDS = goneFields<AccountEndpointDoc>()({
  ...hidden("_id", "account_id", "secret", "previous", "previous_until", "switches_at", "revealed"),
  ...owner("url", "events", "created_at", "failing_since", "disabled_at"),
});

export const ENDPOINT_COLLECTION: CollectionSpec = {
  name: "webhook_endpoints",
  holds: ENDPOINT_FIELDS,
  indexes: [{ name: "account", key: { account_id: 1, _id: 1 }, why: "the endpoints of an account" }],
};

const endpoints = collectionNamed<AccountEndpointDoc>("webhook_endpoints");

/** Oldest first. */
export async function findEndpoints(
  db: Db,
  accountIds: readonly string[],
  { session }: ReadContext = {},
): Promise<AccountEndpointDoc[]> {
  return endpoints(db)
    .find({ account_id: { $in: [...accountIds] } }, { hint: "account", ...(session && { session }) })
    .sort({ account_id: 1, _id: 1 })
    .toArray();
}

export async function findEndpoint(
  db: Db,
  accountId: string,
  endpointId: string,
  { session }: ReadContext = {},
): Promise<AccountEndpointDoc | null> {
  return endpoints(db).findOne({ _id: endpointId, account_id: accountId }, { ...(session && { session }) });
}

export async function saveEndpoint(
  db: Db,
  { _id, ...fields }: AccountEndpointDoc,
  { session }: TxContext,
): Promise<void> {
  await endpoints(db).replaceOne({ _id, account_id: fields.account_id }, fields, { session, upsert: true });
}

export async function deleteEndpoint(
  db: Db,
  accountId: string,
  endpointId: string,
  { session }: TxContext,
): Promise<void> {
  await endpoints(db).deleteOne({ _id: endpointId, account_id: accountId }, { session });
}

export async function deleteEndpoints(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await endpoints(db).deleteMany({ account_id: accountId }, { session });
}
