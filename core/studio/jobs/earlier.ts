// What the Idempotency-Keys of requests have made before. Nearly every key is new, and its insertion finds out if it is not. So keys are read
// first only while some turn out to be used, which spares a query in every other transaction.
import { AppError } from "../../../proto/codes.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import { Reconsider, type TxContext } from "../../base/mongo/in-tx.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import type { App } from "../../kernel/app.ts";
import { type AcceptRequest, idempotencyId } from "./check-request.ts";
import { findIdempotencyKeys, findJobs, insertIdempotencyKeys } from "./store-changes.ts";
import type { IdempotencyDoc, JobDoc } from "./store.ts";

/** Clients that repeat requests rarely do so once, and a transaction that took a used key for a new one is lost. */
const READ_FIRST_MS = 1_000;
const SUBJECT = "Idempotency-Keys";

/** A job that an Idempotency-Key made, with the digest of its request. */
export type Earlier = { readonly job: JobDoc; readonly requestSha256: string };

/** The Idempotency-Keys of a batch of requests. */
export type KeysOfBatch = {
  /** The ids of the stored keys, in the order of the requests. */
  readonly ids: readonly (string | undefined)[];
  /** What they made before, by their ids. */
  readonly made: Map<string, Earlier>;
  /** False if all of them are taken for new ones. */
  readonly areRead: boolean;
};

/** By app, until when keys are read first, in milliseconds since 1970. */
const readFirstUntil = new WeakMap<App, number>();

/** Whether this try of a transaction takes the keys for new ones without reading them. */
function takesKeysForNew(app: App, tx: TxContext): boolean {
  const nowMs = tx.now.getTime();
  if (tx.reconsidered?.has(SUBJECT)) readFirstUntil.set(app, nowMs + READ_FIRST_MS);
  return nowMs >= (readFirstUntil.get(app) ?? Number.NEGATIVE_INFINITY);
}

/** Finds what the keys of these requests made, unless this try takes all of them for new ones. */
export async function findEarlier(
  app: App,
  requests: readonly AcceptRequest[],
  identities: readonly (Identity | AppError)[],
  tx: TxContext,
): Promise<KeysOfBatch> {
  const keys = requests.map((request, i) => {
    const identity = identities[i];
    if (!identity || identity instanceof AppError) return undefined;
    const id = idempotencyId(request, identity);
    return id === undefined ? undefined : { id, accountId: identity.account._id };
  });
  const areRead = !takesKeysForNew(app, tx);
  const made = areRead
    ? await findMade(
        app,
        keys.flatMap((key) => key ?? []),
        tx,
      )
    : new Map<string, Earlier>();
  return { ids: keys.map((key) => key?.id), made, areRead };
}

async function findMade(
  app: App,
  keys: readonly { readonly id: string; readonly accountId: string }[],
  tx: TxContext,
): Promise<Map<string, Earlier>> {
  const used = await findIdempotencyKeys(app.mongo.db, keys, tx);
  const made = [...used.values()].map(({ account_id, job_id }) => ({ accountId: account_id, jobId: job_id }));
  const jobs = await findJobs(app.mongo.db, made, tx);
  return new Map(
    [...used].map(([id, { job_id, request_sha256 }]) => {
      const job = jobs.get(job_id);
      if (!job) throw new Error(`job ${job_id} of an Idempotency-Key does not exist`);
      return [id, { job, requestSha256: request_sha256 }];
    }),
  );
}

/**
 * Throws Reconsider if a request is refused whose key was taken for a new one: it may repeat a request that was accepted. An accepted one
 * needs no such check, because a used key cannot be inserted.
 */
export function confirmRefusals(
  { ids, areRead }: KeysOfBatch,
  results: readonly PromiseSettledResult<unknown>[],
): void {
  if (!areRead && results.some(({ status }, i) => status === "rejected" && ids[i] !== undefined))
    throw readKeysFirst();
}

/** Inserts keys. Throws Reconsider if one of them has been used and was taken for a new one. */
export async function insertNewKeys(app: App, docs: readonly IdempotencyDoc[], tx: TxContext): Promise<void> {
  await insertIdempotencyKeys(app.mongo.db, docs, tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? readKeysFirst() : error;
  });
}

/** Discards this try. The next one reads the keys. */
function readKeysFirst(): Reconsider {
  return new Reconsider(SUBJECT, "one of them may have been used");
}
