// What an error of the driver means to whoever asked: the database is away, someone else was faster, or a unique index refused.
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

/** The database did not answer within our time limit. What it was asked to commit may be committed all the same. */
export class DatabaseTooSlow extends Error {
  override readonly name = "DatabaseTooSlow";
}

/**
 * A transaction lost write conflicts until its tries or its time were used up. Nothing was committed, and the database is well: others wrote
 * the same documents first.
 */
export class TooManyConflicts extends Error {
  override readonly name = "TooManyConflicts";
}

const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;
/** SnapshotTooOld, SnapshotUnavailable. */
const SNAPSHOT_GONE: ReadonlySet<unknown> = new Set([239, 246]);

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
  // A server that lost its rank between being chosen and being asked.
  MongoUnexpectedServerResponseError,
  // Done, but not by a majority in time: it may be lost again.
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

/** How a socket says that the other end has gone: the driver hands it on as it is where it waits for the socket to take a long command. */
const GONE_CODES: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

/** What a server says while it stops, steps down, comes back, or takes longer than it may. */
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
 * True where an error means that the database is away or too slow, not that something is wrong with the request. An error that wraps
 * another one is judged by both: a bulk write hands on what went wrong below it under its own class. A lost write conflict is no outage,
 * though the driver labels it like one; what took too long afterwards is.
 */
export function isDatabaseAway(error: unknown): boolean {
  const all = withCauses(error);
  if (all.some((one) => one instanceof DatabaseTooSlow)) return true;
  return !all.some(isLostRace) && all.some(isAwayItself);
}

/** True where a transaction lost to another one that wrote the same document first, once or until it gave up. */
export function isWriteConflict(error: unknown): boolean {
  return withCauses(error).some(isLostRace);
}

/** True where the same may succeed a moment later, because the database is away or others were faster. */
export function isPassing(error: unknown): boolean {
  return isDatabaseAway(error) || isWriteConflict(error);
}

/** True if the database no longer keeps the moment that a snapshot read asks for. */
export function isSnapshotGone(error: unknown): boolean {
  return withCauses(error).some((one) => one instanceof MongoServerError && SNAPSHOT_GONE.has(one.code));
}

/** True where a unique index refused a write. */
export function isDuplicateKey(error: unknown): boolean {
  return (
    (error instanceof MongoServerError || error instanceof MongoBulkWriteError) &&
    error.code === DUPLICATE_KEY
  );
}

/** True where an error of a commit says for certain that nothing was committed. What it wraps has no say in this. */
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

/** The error and all that it wraps, each once. */
function withCauses(error: unknown): Error[] {
  const found = new Set<Error>();
  const look = (one: unknown) => {
    if (!(one instanceof Error) || found.has(one)) return;
    found.add(one);
    look(one.cause);
    // Where a bulk write keeps the error that it met.
    if (one instanceof MongoServerError) look(one.errorResponse);
    if (one instanceof AggregateError) one.errors.forEach(look);
  };
  look(error);
  return [...found];
}
