// One transaction, retried by the driver when MongoDB says that it may be.
import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from "mongodb";
import type { ClientSession, Mongo } from "./client.ts";

/** All tries of one transaction together; then the caller hears service_unavailable. Less than the 10 s that callers of core wait. */
const TX_TIMEOUT_MS = 8_000;
const DUPLICATE_KEY = 11_000;

/**
 * Runs `work` in a transaction (snapshot reads, majority commit) and gives back what it returned. `work` may run more than
 * once: it only reads, decides and writes through its session; ids and the time are taken before it starts.
 */
export async function inTx<T>(mongo: Mongo, work: (session: ClientSession) => Promise<T>): Promise<T> {
  return mongo.client.withSession((session) =>
    session.withTransaction(work, {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority" },
      timeoutMS: TX_TIMEOUT_MS,
    }),
  );
}

/** Runs reads that all see the same moment. */
export async function inSnapshot<T>(mongo: Mongo, work: (session: ClientSession) => Promise<T>): Promise<T> {
  return mongo.client.withSession({ snapshot: true }, work);
}

/** True where an error means that the database is away or too slow, not that something is wrong with the request. */
export function isDatabaseAway(error: unknown): boolean {
  return (
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError ||
    error instanceof MongoOperationTimeoutError ||
    (error instanceof MongoServerError &&
      (error.hasErrorLabel("RetryableWriteError") || error.hasErrorLabel("TransientTransactionError")))
  );
}

/** True where a unique index refused a write. */
export function isDuplicateKey(error: unknown): boolean {
  return (
    (error instanceof MongoServerError || error instanceof MongoBulkWriteError) &&
    error.code === DUPLICATE_KEY
  );
}
