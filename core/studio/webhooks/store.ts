// Documents of deliveries and callback secrets. Named queries only; no decisions.
import { TEST_EVENT } from "../../../proto/resources/callback.ts";
import { goneFields, type GoneFields, hidden, owner } from "../../base/documents/fields.ts";
import { findingById } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { dueBy, WAITS } from "../../base/mongo/due.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { readSome, type Some } from "../../base/mongo/read-some.ts";
import { deliveryIdPrefix, messageId } from "./delivery-id.ts";
import type { DeliveryEvent, DeliveryStatus, ResendWindow } from "./rules.ts";
import type { Secrets } from "./secret-rules.ts";

export type AttemptDoc = {
  /** From 1. */
  number: number;
  at: Date;
  http_status: number | null;
  duration_ms: number;
  error: string | null;
};

/**
 * One message to one receiver, with the log of its attempts: an outbox row.
 *
 * Updates: the deliverer, under a lease. Deletion: with its account, or when it is archived with its job; until then the owner reads it
 * as a log.
 * Guarantees: one automatic delivery for each end of a job or a workflow, and each repeated once, by the id; an attempt is recorded only by the holder of
 * the lease it was made under; `next_attempt_at` is null exactly when the delivery has ended.
 */
export type DeliveryDoc = {
  _id: string;
  account_id: string;
  /** Null for the end of a workflow, and for a test event, which is written after its only attempt. */
  job_id: string | null;
  /** Absent unless it announces the end of a workflow. */
  workflow_id?: string;
  /** The event of the account that it reports to an endpoint. Absent from all others, and from test events. */
  event_id?: string;
  /** The account's endpoint that it is for. Absent where a request named the address. */
  endpoint_id?: string;
  /** When MongoDB removes a delivery to an endpoint. Absent from those of jobs and workflows, which are archived with them. */
  expires_at?: Date;
  event: DeliveryEvent;
  url: string;
  /** The scheme, host and port of `url`, by which deliveries in flight are limited. */
  host: string;
  status: DeliveryStatus;
  created_at: Date;
  /** When a deliverer may take it. While one has it, the end of the lease, so that it becomes due again automatically after a crash. */
  next_attempt_at: Date | null;
  attempt_count: number;
  attempts: AttemptDoc[];
  /** The span of its job's trace for this delivery, as W3C traceparent; absent unless the job has one. */
  trace?: string;
  lease: { owner: string; until: Date } | null;
  /** When an operator dealt with a failed delivery: it was sent again, or given up. Absent until then. */
  closed_at?: Date | null;
};

/**
 * The secrets that sign an account's callbacks, and how many redeliveries it asks for. Secrets are stored as they are because signing needs
 * them.
 *
 * Updates: rotation, redelivery. Deletion: never.
 */
export type CallbackSecretDoc = Secrets & {
  /** The account. */
  _id: string;
  /** Redeliveries asked for since the beginning of a minute; absent before the first. */
  redeliveries?: ResendWindow;
};

const MAX_ATTEMPTS_KEPT = 20;

const CALLBACK_SECRET_FIELDS = goneFields<CallbackSecretDoc>()({
  ...hidden("_id", "secret", "previous", "previous_until", "switches_at", "revealed", "redeliveries"),
});

const ATTEMPT_FIELDS = {
  ...owner("number", "at", "http_status", "duration_ms", "error"),
} as const;

/** The class of each field of a delivery, from its receiver's view. */
export const DELIVERY_FIELDS = {
  ...hidden("_id", "account_id", "job_id", "workflow_id", "event_id", "expires_at", "host"),
  ...hidden("next_attempt_at", "attempt_count", "trace", "lease", "closed_at"),
  ...owner("endpoint_id", "event", "url", "status", "created_at"),
  attempts: { each: ATTEMPT_FIELDS },
} as const;

export const CALLBACK_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "deliveries",
    holds: DELIVERY_FIELDS satisfies GoneFields<DeliveryDoc>,
    indexes: [
      {
        name: "due_by_host",
        key: { host: 1, next_attempt_at: 1 },
        options: { partialFilterExpression: { next_attempt_at: WAITS } },
        why: "deliverers skip from endpoint to endpoint, however many rows one of them has due",
      },
      {
        name: "tests_newest",
        key: { account_id: 1, _id: -1 },
        options: { partialFilterExpression: { event: TEST_EVENT } },
        why: "the test events of an account; its other deliveries are found by their jobs",
      },
      {
        // The index is empty except for workflows, so other deliveries pay nothing for it.
        name: "workflows_newest",
        key: { account_id: 1, _id: -1 },
        options: { partialFilterExpression: { workflow_id: { $exists: true } } },
        why: "the deliveries of an account's workflows; those of its jobs are found by these",
      },
      {
        // The index is empty for accounts without endpoints.
        name: "events_newest",
        key: { account_id: 1, _id: -1 },
        options: { partialFilterExpression: { event_id: { $exists: true } } },
        why: "the deliveries to an account's endpoints",
      },
      {
        name: "expires_at",
        key: { expires_at: 1 },
        options: { expireAfterSeconds: 0, partialFilterExpression: { expires_at: WAITS } },
        why: "MongoDB removes deliveries to endpoints after 30 days",
      },
      {
        // The index is empty except for final failures, so other deliveries pay nothing for it.
        name: "dead",
        key: { host: 1, _id: -1 },
        options: { partialFilterExpression: { status: "failed", closed_at: null } },
        why: "undelivered webhooks that no one has dealt with, by endpoint",
      },
    ],
  },
  { name: "callback_secrets", holds: CALLBACK_SECRET_FIELDS, indexes: [] },
];

export const deliveries = collectionNamed<DeliveryDoc>("deliveries");
const secrets = collectionNamed<CallbackSecretDoc>("callback_secrets");

export async function insertDeliveries(
  db: Db,
  rows: readonly DeliveryDoc[],
  { session }: ReadContext = {},
): Promise<void> {
  if (rows.length > 0)
    await deliveries(db).insertMany([...rows], { ordered: false, ...(session && { session }) });
}

/** The deliveries of one job, oldest first. */
export async function findDeliveriesOfJob(
  db: Db,
  accountId: string,
  jobId: string,
  { session }: ReadContext = {},
): Promise<DeliveryDoc[]> {
  return deliveries(db)
    .find({ _id: idOfJob(jobId), account_id: accountId }, { ...(session && { session }) })
    .sort({ _id: 1 })
    .toArray();
}

/** A delivery of any account. */
export const findDelivery = findingById(deliveries);

/** Deliveries by exact id, because a pattern for each of many jobs would be compared with every row. */
export async function findDeliveriesByIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
  { session }: ReadContext = {},
): Promise<DeliveryDoc[]> {
  if (ids.length === 0) return [];
  return deliveries(db)
    .find({ _id: { $in: [...ids] }, account_id: accountId }, { hint: "_id_", ...(session && { session }) })
    .toArray();
}

export async function deleteDeliveriesByIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
  { session }: TxContext,
): Promise<void> {
  if (ids.length > 0)
    await deliveries(db).deleteMany(
      { _id: { $in: [...ids] }, account_id: accountId },
      { session, hint: "_id_" },
    );
}

export type OwnDeliveries = {
  readonly accountId: string;
  readonly beforeId: string | undefined;
  readonly status: DeliveryStatus | undefined;
};

/** Deliveries of these jobs of the account, newest first. */
export async function findDeliveriesOfJobs(
  db: Db,
  { accountId, beforeId, status }: OwnDeliveries,
  jobIds: readonly string[],
  limit: number,
): Promise<DeliveryDoc[]> {
  if (jobIds.length === 0) return [];
  const ids = { $in: jobIds.map(idOfJob), ...(beforeId !== undefined && { $lt: beforeId }) };
  return deliveries(db)
    .find({ _id: ids, account_id: accountId, ...(status && { status }) }, { hint: "_id_" })
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}

/** The deliveries of an account that no job of its leads to, each kind in an index of its own. */
const APART = {
  tests_newest: { event: TEST_EVENT },
  workflows_newest: { workflow_id: { $exists: true } },
  events_newest: { event_id: { $exists: true } },
} as const;

/** The newest first. */
export async function findDeliveriesApart(
  db: Db,
  kind: keyof typeof APART,
  { accountId, beforeId, status }: OwnDeliveries,
  page: { limit: number; maxRead: number },
): Promise<Some<DeliveryDoc>> {
  const below = beforeId === undefined ? {} : { _id: { $lt: beforeId } };
  return readSome(
    deliveries(db),
    { account_id: accountId, ...APART[kind], ...below },
    status === undefined ? {} : { status },
    { hint: kind, ...page },
  );
}

/** An anchored prefix: a range of the index. */
function idOfJob(jobId: string): RegExp {
  return new RegExp(`^${deliveryIdPrefix(jobId)}`);
}

/** The automatic deliveries of these jobs or workflows. */
export async function findAnnouncements(
  db: Db,
  jobIds: readonly string[],
  { session }: SnapshotContext,
): Promise<Map<string, DeliveryDoc>> {
  const found = await deliveries(db)
    .find({ _id: { $in: jobIds.map(messageId) } }, { session, hint: "_id_" })
    .toArray();
  const byId = new Map(found.map((delivery) => [delivery._id, delivery]));
  return new Map(
    jobIds.flatMap((jobId) => {
      const delivery = byId.get(messageId(jobId));
      return delivery ? [[jobId, delivery] as const] : [];
    }),
  );
}

export type DeliveryInfo = Pick<DeliveryDoc, "status" | "attempt_count" | "job_id" | "workflow_id">;

export async function findDeliveryInfo(
  db: Db,
  accountId: string,
  jobIds: readonly string[],
): Promise<DeliveryInfo[]> {
  return deliveries(db)
    .find({ _id: { $in: jobIds.map(idOfJob) }, account_id: accountId })
    .project<DeliveryInfo>({ _id: 0, job_id: 1, workflow_id: 1, status: 1, attempt_count: 1 })
    .toArray();
}

export type DueQuery = {
  now: Date;
  /** Receivers come in the order of their names, starting after this one. */
  afterHost: string;
  /** Receivers to leave out, or the only ones to look at. */
  hosts: { without: readonly string[] } | { only: readonly string[] };
  maxHosts: number;
  rowsEach: number;
};

export type DueEndpoint = { host: string; ids: string[] };

/**
 * Receivers with due rows, each with its oldest ones. The first stages become a DISTINCT_SCAN, one index seek for each receiver, so the
 * cost does not grow with the number of rows that wait for a dead receiver.
 */
export async function findDueEndpoints(db: Db, query: DueQuery): Promise<DueEndpoint[]> {
  const due = { next_attempt_at: dueBy(query.now) };
  const { hosts } = query;
  const named = "only" in hosts ? { $in: [...hosts.only] } : { $nin: [...hosts.without] };
  const found = await deliveries(db)
    .aggregate<{ _id: string; rows: { _id: string }[] }>([
      { $match: { host: { $gt: query.afterHost, ...named }, ...due } },
      { $sort: { host: 1, next_attempt_at: 1 } },
      { $group: { _id: "$host", oldest: { $first: "$next_attempt_at" } } },
      { $limit: query.maxHosts },
      {
        $lookup: {
          from: "deliveries",
          localField: "_id",
          foreignField: "host",
          pipeline: [
            { $match: due },
            { $sort: { next_attempt_at: 1 } },
            { $limit: query.rowsEach },
            { $project: { _id: 1 } },
          ],
          as: "rows",
        },
      },
    ])
    .toArray();
  return found.map(({ _id, rows }) => ({ host: _id, ids: rows.map((row) => row._id) }));
}

/** Takes those of the rows that are still due. `owner` must be new with each call, because it fences the recording. */
export async function leaseDeliveries(
  db: Db,
  ids: readonly string[],
  lease: { owner: string; until: Date },
  now: Date,
): Promise<DeliveryDoc[]> {
  if (ids.length === 0) return [];
  await deliveries(db).updateMany(
    { _id: { $in: [...ids] }, next_attempt_at: dueBy(now) },
    { $set: { lease, next_attempt_at: lease.until } },
    { hint: "_id_" },
  );
  return deliveries(db)
    .find({ _id: { $in: [...ids] }, "lease.owner": lease.owner }, { hint: "_id_" })
    .toArray();
}

/** Makes a delivery that waits for its next attempt due immediately. */
export async function makeDue(
  db: Db,
  delivery: DeliveryDoc,
  now: Date,
  { session }: TxContext,
): Promise<void> {
  await deliveries(db).updateOne(
    { _id: delivery._id, account_id: delivery.account_id },
    { $set: { next_attempt_at: now } },
    { session },
  );
}

/** Gives leased rows back, due immediately, as if they had never been taken. */
export async function releaseDeliveries(db: Db, taken: readonly DeliveryDoc[], now: Date): Promise<void> {
  if (taken.length === 0) return;
  await deliveries(db).bulkWrite(
    taken.map(({ _id, account_id, lease }) => ({
      updateOne: {
        filter: { _id, account_id, "lease.owner": lease?.owner ?? "" },
        update: { $set: { lease: null, next_attempt_at: now } },
      },
    })),
    { ordered: false },
  );
}

/** Writes an attempt and what follows from it. Returns false, and writes nothing, if another deliverer has the lease by now. */
export async function recordAttempt(
  db: Db,
  delivery: DeliveryDoc,
  attempt: AttemptDoc,
  next: { status: DeliveryStatus; nextAttemptAt: Date | null },
): Promise<boolean> {
  const { matchedCount } = await deliveries(db).updateOne(
    { _id: delivery._id, account_id: delivery.account_id, "lease.owner": delivery.lease?.owner ?? "" },
    {
      $set: {
        status: next.status,
        next_attempt_at: next.nextAttemptAt,
        attempt_count: attempt.number,
        lease: null,
      },
      $push: { attempts: { $each: [attempt], $slice: -MAX_ATTEMPTS_KEPT } },
    },
  );
  return matchedCount === 1;
}

export const findSecret = findingById(secrets);

/** Does nothing if the account already has a secret. */
export async function insertSecret(db: Db, accountId: string, made: Secrets): Promise<void> {
  try {
    await secrets(db).insertOne({ _id: accountId, ...made });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

export async function saveSecret(
  db: Db,
  accountId: string,
  made: Secrets,
  { session }: TxContext,
): Promise<void> {
  const { secret, previous, previous_until, switches_at = null, revealed } = made;
  await secrets(db).updateOne(
    { _id: accountId },
    { $set: { secret, previous, previous_until, switches_at, revealed } },
    { upsert: true, session },
  );
}

/** Relies on the account's having a secret: one of its deliveries was signed, or is being signed with one. */
export async function saveRedeliveries(
  db: Db,
  accountId: string,
  redeliveries: ResendWindow,
  { session }: TxContext,
): Promise<void> {
  await secrets(db).updateOne({ _id: accountId }, { $set: { redeliveries } }, { session });
}

export async function deleteSecrets(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await secrets(db).deleteOne({ _id: accountId }, { session });
}

export async function deleteDeliveriesOfJobs(
  db: Db,
  accountId: string,
  jobIds: readonly string[],
): Promise<void> {
  if (jobIds.length > 0)
    await deliveries(db).deleteMany({ _id: { $in: jobIds.map(idOfJob) }, account_id: accountId });
}

/** Deletes an account's test events and deliveries to endpoints, which erasing its jobs would not find. */
export async function deleteDeliveriesApart(db: Db, accountId: string): Promise<void> {
  for (const kind of ["tests_newest", "events_newest"] as const)
    await deliveries(db).deleteMany({ account_id: accountId, ...APART[kind] }, { hint: kind });
}
