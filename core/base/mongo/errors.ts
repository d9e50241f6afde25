// Classifies errors of the driver for callers: the database is unavailable, another transaction was faster, or a unique index refused the
// write.
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
  MongoWriteConcernError,
} from "mongodb";

const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;
/** SnapshotTooOld, SnapshotUnavailable. */
const SNAPSHOT_GONE: ReadonlySet<unknown> = new Set([239, 246]);
/** How a socket reports that the other end is gone; the driver passes this on while it sends a long command. */
const GONE_CODES: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

/** The database did not respond within our time limit. A commit that it was asked for may still succeed. */
export class DatabaseTooSlow extends Error {
  override readonly name = "DatabaseTooSlow";
}

/**
 * A transaction lost write conflicts until its tries or its time were used up. Nothing was committed, and the database is healthy: others
 * wrote the same documents first.
 */
export class TooManyConflicts extends Error {
  override readonly name = "TooManyConflicts";
}

const AWAY_CLASSES = [
  DatabaseTooSlow,
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
  // A server that lost its role between being chosen and being asked.
  MongoUnexpectedServerResponseError,
  // The write was done, but not by a majority in time: it may be lost again.
  MongoWriteConcernError,
];

/** The driver does not export the classes of its pool. */
const AWAY_NAMES = new Set([
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoWaitQueueTimeoutError",
  "PoolClearedOnNetworkError",
]);

const AWAY_LABELS = [
  "PoolRequestedRetry",
  "ResumableChangeStreamError",
  "RetryableWriteError",
  "SystemOverloadedError",
  "TransientTransactionError",
  "UnknownTransactionCommitResult",
];

/** Errors of a server that stops, steps down, returns, or exceeds a time limit. */
const AWAY_CODES: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  206, // NoSuchSession
  234, // RetryChangeStream
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction
  262, // ExceededTimeLimit
  279, // ClientDisconnect
  290, // TransactionExceededLifetimeLimitSeconds
  9_001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/**
 * True if an error means that the database is unavailable or too slow, not that the request is wrong. A wrapped error is examined too,
 * because a bulk write wraps the cause in its own class. A lost write conflict is not an outage, although the driver labels it like one.
 */
export function isDatabaseAway(error: unknown): boolean {
  const all = withCauses(error);
  if (all.some((one) => one instanceof DatabaseTooSlow)) return true;
  return !all.some(isLostRace) && all.some(isAwayItself);
}

/** True if another transaction wrote the same document first, once or until this one gave up. */
export function isWriteConflict(error: unknown): boolean {
  return withCauses(error).some(isLostRace);
}

/** True if the same call may succeed later, because the database is unavailable or others were faster. */
export function isPassing(error: unknown): boolean {
  return isDatabaseAway(error) || isWriteConflict(error);
}

/** True if the database no longer keeps the moment that a snapshot read needs. */
export function isSnapshotGone(error: unknown): boolean {
  return withCauses(error).some((one) => one instanceof MongoServerError && SNAPSHOT_GONE.has(one.code));
}

/** True if a unique index refused a write. */
export function isDuplicateKey(error: unknown): boolean {
  return (
    (error instanceof MongoServerError || error instanceof MongoBulkWriteError) &&
    error.code === DUPLICATE_KEY
  );
}

/** True if an error of a commit says with certainty that nothing was committed. Wrapped errors are not considered. */
export function isCertainlyNotCommitted(error: unknown): boolean {
  return (
    error instanceof MongoError &&
    error.hasErrorLabel("TransientTransactionError") &&
    !error.hasErrorLabel("UnknownTransactionCommitResult")
  );
}

function isLostRace(error: Error): boolean {
  return (
    error instanceof TooManyConflicts || (error instanceof MongoServerError && error.code === WRITE_CONFLICT)
  );
}

function isAwayItself(error: Error): boolean {
  if (AWAY_CLASSES.some((kind) => error instanceof kind) || AWAY_NAMES.has(error.name)) return true;
  if (!(error instanceof MongoError)) return "code" in error && GONE_CODES.has(error.code);
  return AWAY_LABELS.some((label) => error.hasErrorLabel(label)) || AWAY_CODES.has(error.code);
}

/** The error and all errors that it wraps, each once. */
function withCauses(error: unknown): Error[] {
  const found = new Set<Error>();
  const look = (one: unknown) => {
    if (!(one instanceof Error) || found.has(one)) return;
    found.add(one);
    look(one.cause);
    // The property in which a bulk write stores its cause.
    if (one instanceof MongoServerError) look(one.errorResponse);
    if (one instanceof AggregateError) one.errors.forEach(look);
  };
  look(error);
  return [...found];
}
