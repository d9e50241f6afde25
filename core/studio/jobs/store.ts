// Documents of jobs and their indexes. The queries are in the files beside it, named by their purpose; nothing here decides.
import type { Source } from "../../../proto/caller.ts";
import type { Delivered, JobEventResource, JobRequest, JobResource } from "../../../proto/resources/job.ts";
import type { PricedBy } from "../../../proto/resources/pricing.ts";
import { goneFields, hidden, type KeptFields } from "../../base/documents/fields.ts";
import { collectionNamed } from "../../base/mongo/client.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import type { CountedOn } from "../../identity/accounts/store.ts";
import type { Portion } from "../../identity/credits/grant-rules.ts";
import type { Fallback } from "../../kernel/definitions.ts";
import type { OutputDoc } from "../../kernel/outputs/store.ts";
import type { NoPermit } from "../limits/limiters.ts";
import type { InputFile } from "../uploads/resolve.ts";
import { JOB_FIELDS } from "./fields.ts";
import { SHARES } from "./store-shares.ts";

/** The state as stored. A running job that is to be cancelled is shown as cancelling. */
export type JobState = Exclude<JobResource["state"], "cancelling">;

/** An event's number is its place in the array, from 1; the ledger entry of a money event follows from the job's id. */
export type EventDoc = {
  type: JobEventResource["type"];
  /** The state of the job after the transaction that wrote this event. */
  state: JobState;
  at: Date;
  detail?: Record<string, unknown>;
};

export type JobErrorDoc = { code: string; message: string };

/** The states in which a job stays. */
export type EndState = Extract<JobState, "completed" | "failed" | "cancelled">;

/** The file that a param of a job names. It is kept for as long as the job may run. */
export type InputDoc = { param: string } & InputFile;

type Filled = {
  params: Record<string, unknown>;
  metadata: Record<string, string>;
  callback_url: string | null;
};

/** The request, which its job keeps whole. A field that was added later is absent from earlier jobs. */
export type Asked = Omit<JobRequest, keyof Filled> & Filled;

/** The call that was made for a job, so that a later worker polls this call and makes no other. */
export type CallDoc = {
  provider: string;
  provider_model: string;
  /** When the provider was called. */
  at: Date;
  /** The handle for polling the call; absent until the provider has accepted the call. */
  handle?: string;
  /** The provider's own id of the call, if it gives one. */
  reference?: string;
  /** True if the provider has a URL at which to announce the call's end. */
  webhook?: true;
  /** When it announced the end, since the job was last resumed. */
  told_at?: Date;
};

/**
 * One job with its whole history, so that state and events change in one write. Updates: claim, heartbeat, progress, finalize, cancel,
 * expiry, rescue, an operator's refund, deleting its files, its owner's star; texts and files are removed with its account. Deletion: in the transaction that
 * archives it, long after its end. Guarantees: `version` is the number of events; every write of a worker names `epoch`, which grows with
 * each claim and rescue, so a worker that lost its lease writes nothing. A running job has either a lease or, while it is suspended, a row
 * with the time of the next poll.
 */
export type JobDoc = Asked & {
  _id: string;
  account_id: string;
  key_id: string | null;
  source: Source;
  provider: string;
  provider_model: string;
  provider_options: Record<string, unknown>;
  /** The fallbacks of the model when the job was accepted; absent if it had none. */
  fallbacks?: readonly Fallback[];
  /** Whether the seed among its params was drawn when the job was accepted; absent if the request named one, or the model takes none. */
  seed_drawn?: true;
  /** Always absent if no param names a file. */
  inputs?: readonly InputDoc[];
  /** The span of its work, as W3C traceparent; absent unless its request belonged to a sampled trace. */
  trace?: string;
  /** Price of the whole job. */
  credits: number;
  /** The rule of the model's pricing that matched; absent from jobs of before prices had rules. */
  priced_by?: PricedBy;
  /** What its provider delivered, where that differs from the request. Always absent otherwise. */
  delivered?: Delivered;
  /** Its cost, where it was completed for less than its price: the rest was refunded as it completed. Absent from all others. */
  charged?: number;
  /** The expiring grants that its credits were held from; absent if none of them expire. */
  held_from?: readonly Portion[];
  /** Where the job counts in its key's spending; absent if the key has no limit. */
  counted_on?: Omit<CountedOn, "credits">;
  /** Its end is an event of its account. Absent if the account's events were not recorded when it was accepted. */
  events_on?: true;
  estimated_seconds: number;
  run_timeout_ms: number;
  state: JobState;
  version: number;
  events: EventDoc[];
  created_at: Date;
  /**
   * A job that still waits at this time fails with queue_timeout. Null: it is a step of a workflow that waits for others, and may not be
   * claimed yet. It is in the index that claims read anyway, so that no other job pays for such steps.
   */
  queue_deadline: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
  /** When its owner requested its cancellation, if it was running by then. */
  cancel_requested_at?: Date;
  /** The fencing token: the number of the job's lease, which every write of a worker names. */
  epoch: number;
  lease: { worker: string; until: Date } | null;
  /**
   * Written before a call to a provider with handles, or to a fallback. Null: not called yet, or to be called again. Absent from jobs that
   * never got so far, and from jobs of a model whose provider has no handles.
   */
  call?: CallDoc | null;
  /** How long it has waited for a provider's permit, which extends its deadline. Absent: not at all. */
  waited_ms?: number;
  /** How often another worker had to take it over. */
  rescues: number;
  outputs: OutputDoc[];
  error: JobErrorDoc | null;
  /** When an operator refunded it although it was completed; absent from all others. */
  refunded_at?: Date;
  /** The job that it repeats at an operator's request; absent from all others. */
  retry_of?: string;
  /** The workflow of which it is a step; absent from all others. */
  workflow_id?: string;
  /** Its owner's favourite; absent from all others. */
  starred?: true;
};

/**
 * A running job that is suspended: no worker has it until a certain time. Stored apart from the jobs, so that no step of another job pays
 * for it. Updates: each poll. Deletion: in the transaction that resumes the job. Guarantees: there is exactly one for each running job
 * without a lease.
 */
export type SuspendedDoc = {
  /** The job. */
  _id: string;
  account_id: string;
  /** The provider that it waits for. */
  provider: string;
  /** When a worker polls it next. While one does, when another may, so that it becomes due again automatically after a crash. */
  poll_at: Date;
  /** How long it waited last time; the next wait grows from that. */
  wait_ms: number;
  /** The worker that polled last, unless another poll was requested since. */
  taken_by: string | null;
  /** When the cancellation was sent to its provider; absent until then. */
  asked_to_stop_at?: Date;
  /** The job has no call, and waits for a permit. Until then it is only polled when its time is over. */
  waits?: { provider: string; model: string; why: NoPermit; since: Date; until?: Date };
  /** How long its time was stopped before it was admitted. */
  waited_ms?: number;
};

/**
 * The job or the workflow of an account's Idempotency-Key. Stored apart from the jobs, because MongoDB reads the description of every index
 * of a collection for each document that it updates in a transaction. Updates: never. Deletion: with its account, or before its job is
 * archived. Guarantees: one job, or one workflow, for each key of an account, by the id.
 */
export type IdempotencyDoc = {
  /** Account, space, key. */
  _id: string;
  account_id: string;
  /** The first step for a workflow. */
  job_id: string;
  /** Absent where it made a single job. */
  workflow_id?: string;
  /** The digest of the request that created the job: the key may repeat that request, and no other. */
  request_sha256: string;
};

const PARKED_FIELDS = goneFields<SuspendedDoc>()({
  ...hidden("_id", "account_id", "provider", "poll_at", "wait_ms", "taken_by", "asked_to_stop_at", "waits"),
  ...hidden("waited_ms"),
});

const IDEMPOTENCY_FIELDS = goneFields<IdempotencyDoc>()({
  ...hidden("_id", "account_id", "job_id", "workflow_id", "request_sha256"),
});

export const JOB_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "jobs",
    holds: JOB_FIELDS satisfies KeptFields<JobDoc>,
    indexes: [
      {
        name: "account_newest",
        key: { account_id: 1, _id: -1 },
        why: "the job list of an account with any filter; the cost of its newest jobs",
      },
      {
        // One index for all three, because each index on what changes with the state costs every step of every job.
        name: "live",
        key: { state: 1, account_id: 1, _id: 1, "lease.until": 1, queue_deadline: 1 },
        options: { partialFilterExpression: { state: { $in: ["reserved", "running"] } } },
        why: "the oldest waiting jobs of accounts and the place in a queue; running jobs whose lease has ended; waiting jobs whose time is over",
      },
    ],
  },
  SHARES,
  { name: "idempotency_keys", holds: IDEMPOTENCY_FIELDS, indexes: [] },
  {
    name: "provider_calls",
    holds: PARKED_FIELDS,
    indexes: [
      { name: "poll_at", key: { poll_at: 1 }, why: "finds what is to be polled, the longest due first" },
      {
        name: "waits",
        key: { "waits.provider": 1, "waits.since": 1 },
        options: { partialFilterExpression: { "waits.provider": { $exists: true } } },
        why: "finds who has waited longest until a provider may be called",
      },
    ],
  },
];

export const jobs = collectionNamed<JobDoc>("jobs");
export const suspended = collectionNamed<SuspendedDoc>("provider_calls");
export const idempotencyKeys = collectionNamed<IdempotencyDoc>("idempotency_keys");
