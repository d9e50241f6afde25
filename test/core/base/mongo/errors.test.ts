// Every kind of error that the driver throws while the database is away, built from its own classes.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  type MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
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
import { describe, expect, test } from "vitest";
import {
  DatabaseTooSlow,
  isDatabaseAway,
  isDuplicateKey,
  isPassing,
  isWriteConflict,
  TooManyConflicts,
} from "../../../../core/base/mongo/errors.ts";

// The driver throws these without exporting them.
const require = createRequire(import.meta.url);
const pool = require(join(dirname(require.resolve("mongodb")), "cmap/errors.js")) as Record<
  "PoolClosedError" | "PoolClearedError" | "PoolClearedOnNetworkError",
  new (pool: object) => MongoError
> & { WaitQueueTimeoutError: new (message: string, address: string) => MongoError };

const aPool = { address: "127.0.0.1:27017", serverError: new MongoNetworkError("connection 4 closed") };
const network = () => new MongoNetworkError("connection 7 to 127.0.0.1:27017 closed");
const selection = () =>
  new MongoServerSelectionError("Server selection timed out after 3000 ms", {
    servers: new Map(),
  } as ConstructorParameters<typeof MongoServerSelectionError>[1]);
/** Wraps an error as the driver does below a bulk write. */
const bulk = (below: Error | { message: string; code: number }) =>
  new MongoBulkWriteError(below, {} as ConstructorParameters<typeof MongoBulkWriteError>[1]);
const server = (code: number, codeName: string, errorLabels: string[] = []) =>
  new MongoServerError({ message: codeName, code, codeName, errorLabels });

const away: [string, () => Error][] = [
  ["a cut connection", network],
  ["a silent connection", () => new MongoNetworkTimeoutError("connection 7 timed out")],
  ["no primary", selection],
  ["a timeout of an operation", () => new MongoOperationTimeoutError("Timed out")],
  ["a cleared pool", () => new pool.PoolClearedError(aPool)],
  ["a connection that the pool closed", () => new pool.PoolClearedOnNetworkError(aPool)],
  ["a closed pool", () => new pool.PoolClosedError(aPool)],
  ["no free connection", () => new pool.WaitQueueTimeoutError("Timed out while checking out", aPool.address)],
  ["a closed topology", () => new MongoTopologyClosedError("Topology is closed")],
  ["a closed server", () => new MongoServerClosedError("Server is closed")],
  ["a closed client", () => new MongoClientClosedError()],
  ["an unconnected client", () => new MongoNotConnectedError("Client must be connected")],
  ["a stale primary", () => new MongoStalePrimaryError("primary marked stale")],
  [
    "a server that is not primary any more",
    () => new MongoUnexpectedServerResponseError("does not support retryable writes"),
  ],
  [
    "a socket closed by the server",
    () => Object.assign(new Error("This socket has been ended by the other party"), { code: "EPIPE" }),
  ],
  ["a reset socket", () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })],
  ["NotWritablePrimary", () => server(10107, "NotWritablePrimary")],
  ["PrimarySteppedDown", () => server(189, "PrimarySteppedDown")],
  ["InterruptedDueToReplStateChange", () => server(11602, "InterruptedDueToReplStateChange")],
  ["InterruptedAtShutdown", () => server(11600, "InterruptedAtShutdown")],
  ["ShutdownInProgress", () => server(91, "ShutdownInProgress")],
  ["Interrupted", () => server(11601, "Interrupted")],
  ["NotPrimaryOrSecondary", () => server(13436, "NotPrimaryOrSecondary")],
  ["NoSuchTransaction", () => server(251, "NoSuchTransaction")],
  ["a transaction above its lifetime", () => server(290, "TransactionExceededLifetimeLimitSeconds")],
  ["MaxTimeMSExpired", () => server(50, "MaxTimeMSExpired")],
  ["CursorNotFound", () => server(43, "CursorNotFound")],
  ["an error label for a retry", () => server(1, "InternalError", ["TransientTransactionError"])],
  ["a commit with an unknown outcome", () => server(1, "InternalError", ["UnknownTransactionCommitResult"])],
  [
    "a write concern timeout",
    () =>
      new MongoWriteConcernError({
        ok: 1,
        writeConcernError: { code: 64, errmsg: "waiting for replication timed out" },
      } as ConstructorParameters<typeof MongoWriteConcernError>[0]),
  ],
];

describe("isDatabaseAway", () => {
  test.each(away)("is true for %s", (_what, make) => {
    expect(isDatabaseAway(make())).toBe(true);
  });

  test.each(away)("is true for %s, below a bulk write", (_what, make) => {
    expect(isDatabaseAway(bulk(make()))).toBe(true);
  });

  test.each(away)("is true for %s, as a nested cause", (_what, make) => {
    const wrapped = new Error("the job could not be stored", {
      cause: new Error("again", { cause: make() }),
    });
    expect(isDatabaseAway(wrapped)).toBe(true);
  });

  test("is true for the service's own timeout", () => {
    expect(isDatabaseAway(new DatabaseTooSlow("no answer within 800 ms"))).toBe(true);
  });

  test("is false for a wrong request, an error in the code, and a duplicate key", () => {
    for (const error of [
      new Error("a bug"),
      new TypeError("a bug"),
      new MongoInvalidArgumentError("a bug"),
      server(2, "BadValue"),
      server(121, "DocumentValidationFailure"),
      server(11000, "DuplicateKey"),
      bulk({ message: "E11000 duplicate key error", code: 11000 }),
      undefined,
      "no error at all",
    ])
      expect(isDatabaseAway(error)).toBe(false);
  });

  test("ends for a circular chain of causes", () => {
    const error = new Error("one");
    error.cause = new Error("two", { cause: error });
    expect(isDatabaseAway(error)).toBe(false);
  });
});

test("a write conflict is not an outage for any error labels, and a retry can succeed", () => {
  const conflict = server(112, "WriteConflict", ["TransientTransactionError"]);
  const all = [
    conflict,
    bulk(conflict),
    new TooManyConflicts("lost 9 write conflicts", { cause: conflict }),
    new Error("the job was not cancelled", { cause: conflict }),
  ];
  expect(all.map(isDatabaseAway)).toEqual([false, false, false, false]);
  expect(all.map(isPassing)).toEqual([true, true, true, true]);
  // A request without a response may have been executed.
  expect(isDatabaseAway(new DatabaseTooSlow("no answer", { cause: conflict }))).toBe(true);
});

test("a write conflict and a duplicate key are recognized below a bulk write", () => {
  const conflict = server(112, "WriteConflict", ["TransientTransactionError"]);
  expect([conflict, bulk(conflict), network()].map(isWriteConflict)).toEqual([true, true, false]);
  expect(
    [server(11000, "DuplicateKey"), bulk(server(11000, "DuplicateKey")), conflict].map(isDuplicateKey),
  ).toEqual([true, true, false]);
});
