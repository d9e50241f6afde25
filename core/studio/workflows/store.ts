// Documents of workflows and their indexes. Named queries only; nothing here decides.
import type { Source } from "../../../proto/caller.ts";
import type { Modality } from "../../../proto/resources/job.ts";
import { erasing, type KeptFields } from "../../base/documents/fields.ts";
import { findingById, inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { dueBy, WAITS } from "../../base/mongo/due.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { readSome, type Some } from "../../base/mongo/read-some.ts";
import { WORKFLOW_FIELDS } from "./fields.ts";

export type WorkflowState = "running" | "completed" | "failed" | "cancelled";

/** A param of a step that is given an output of another one. */
export type StepInput = {
  readonly param: string;
  /** The position of the other step. */
  readonly step: number;
  /** Which of its outputs, from 0. */
  readonly output: number;
  /** The kinds of files that the param accepts. */
  readonly kinds: readonly Modality[];
};

export type StepDoc = {
  /** Its name, as its owner wrote it; empty once the account is deleted. */
  readonly id: string;
  readonly job_id: string;
  /** The positions of the steps that must have completed before. */
  readonly needs: readonly number[];
  /** Absent if it uses no other step's outputs. */
  readonly inputs?: readonly StepInput[];
  readonly credits: number;
};

/**
 * A small graph of jobs that were sent, priced and held as one. What becomes of each step is said by its job alone.
 *
 * Updates: the request to cancel it, its end, when it is looked at next; its words go with its account.
 * Deletion: in the transaction that archives it, long after its end.
 * Guarantees: written in the transaction that makes its jobs and holds their credits; while it runs it has a time at which a worker looks at
 * it; it ends once, when all of its jobs have ended, in the transaction that queues its callback.
 */
export type WorkflowDoc = {
  _id: string;
  account_id: string;
  key_id: string | null;
  source: Source;
  /** In the order of the request; 2 to 20. */
  steps: readonly StepDoc[];
  /** The price of all steps. */
  credits: number;
  /** Along the longest path through the graph. */
  estimated_seconds: number;
  callback_url: string | null;
  /** Whether its jobs have the callback address too. */
  callback_on_steps: boolean;
  metadata: Record<string, string>;
  state: WorkflowState;
  /** Since when its owner wants it cancelled; absent until then. */
  cancel_requested_at?: Date;
  /** Grows with each change. */
  version: number;
  created_at: Date;
  ended_at: Date | null;
  /** When a worker checks whether something is left to do; absent once it has ended. */
  look_at?: Date;
  /** The span under which its end is reported, as W3C traceparent; absent unless its request belonged to a trace that is kept. */
  trace?: string;
};

export const WORKFLOW_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "workflows",
    holds: WORKFLOW_FIELDS satisfies KeptFields<WorkflowDoc>,
    indexes: [
      {
        name: "account_newest",
        key: { account_id: 1, _id: -1 },
        why: "the workflows of an account, newest first",
      },
      {
        name: "look_at",
        key: { look_at: 1 },
        options: { partialFilterExpression: { look_at: WAITS } },
        why: "finds running workflows that are due, the longest due first",
      },
    ],
  },
];

export const workflows = collectionNamed<WorkflowDoc>("workflows");

export const insertWorkflow = inserting(workflows);

export async function findWorkflow(
  db: Db,
  { accountId, workflowId }: { accountId: string; workflowId: string },
  { session }: ReadContext = {},
): Promise<WorkflowDoc | null> {
  return workflows(db).findOne({ _id: workflowId, account_id: accountId }, session && { session });
}

/** A workflow of any account. */
export const findWorkflowById = findingById(workflows);

/** Workflows of any accounts, by id. */
export async function readWorkflows(db: Db, ids: readonly string[]): Promise<WorkflowDoc[]> {
  return workflows(db)
    .find({ _id: { $in: [...ids] } }, { hint: "_id_" })
    .toArray();
}

export type WorkflowChange = Partial<Pick<WorkflowDoc, "state" | "cancel_requested_at" | "ended_at">>;

/** Writes a change of a workflow as this transaction has read it. A workflow that ends is not examined any more. */
export async function saveWorkflow(
  db: Db,
  { _id, account_id, version }: WorkflowDoc,
  set: WorkflowChange,
  { session }: TxContext,
): Promise<void> {
  const { matchedCount } = await workflows(db).updateOne(
    { _id, account_id, version },
    {
      $set: set,
      $inc: { version: 1 },
      ...(set.ended_at && { $unset: { look_at: "" as const } }),
    },
    { session, hint: "_id_" },
  );
  if (matchedCount !== 1) throw new Error(`workflow ${_id} was changed since it was read`);
}

export type WorkflowFilter = {
  readonly accountId: string;
  readonly beforeId?: string | undefined;
  /** The states as clients name them. */
  readonly states?: readonly string[] | undefined;
};

/** The newest first. At most `maxRead` are read. */
export async function findWorkflowsLike(
  db: Db,
  { accountId, beforeId, states }: WorkflowFilter,
  page: { limit: number; maxRead: number },
): Promise<Some<WorkflowDoc>> {
  return readSome(
    workflows(db),
    { account_id: accountId, ...(beforeId !== undefined && { _id: { $lt: beforeId } }) },
    states === undefined ? {} : inStates(states),
    { hint: "account_newest", ...page },
  );
}

/** A running workflow that is to be cancelled is shown as cancelling. */
function inStates(states: readonly string[]) {
  const requested = { state: "running", cancel_requested_at: { $exists: true } };
  const unrequested = { state: { $in: [...states] }, cancel_requested_at: { $exists: false } };
  const ended = { state: { $in: states.filter((state) => state !== "running") } };
  return { $or: [unrequested, ended, ...(states.includes("cancelling") ? [requested] : [])] };
}

/** Takes those that are due: no one else looks at them before `until`. Returns them, the longest due first. */
export async function takeDueWorkflows(
  db: Db,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<{ accountId: string; workflowId: string }[]> {
  const due = await workflows(db)
    .find({ look_at: dueBy(now) }, { projection: { account_id: 1 }, hint: "look_at" })
    .sort({ look_at: 1 })
    .limit(limit)
    .toArray();
  if (due.length === 0) return [];
  await workflows(db).updateMany(
    { _id: { $in: due.map(({ _id }) => _id) }, look_at: dueBy(now) },
    { $set: { look_at: until } },
    { hint: "_id_" },
  );
  return due.map(({ _id, account_id }) => ({ accountId: account_id, workflowId: _id }));
}

/** How many run, up to `atMost`. Reads only index entries. */
export async function countRunning(db: Db, atMost: number): Promise<number> {
  return workflows(db).countDocuments({ look_at: WAITS }, { hint: "look_at", limit: atMost });
}

/** From now on the end of these workflows is not announced. */
export async function eraseWorkflowCallbackUrls(db: Db, accountId: string): Promise<void> {
  await workflows(db).updateMany(
    { account_id: accountId, state: "running", callback_url: { $ne: null } },
    { $set: { callback_url: null } },
    { hint: "account_newest" },
  );
}

/** Leaves only what is counted of ended workflows. */
export async function eraseWorkflows(db: Db, accountId: string, ids: readonly string[]): Promise<void> {
  await workflows(db).updateMany(
    { _id: { $in: [...ids] }, account_id: accountId, state: { $ne: "running" } },
    erasing(WORKFLOW_FIELDS),
    { hint: "_id_" },
  );
}

/** All workflows of an account by id, for the audit. */
export function streamWorkflows(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): AsyncIterable<WorkflowDoc> {
  return workflows(db)
    .find({ account_id: accountId }, { session, hint: "account_newest" })
    .sort({ _id: 1 })
    .batchSize(1000);
}
