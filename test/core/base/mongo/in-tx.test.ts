// Transactions on a hanging connection: callers wait a bounded time, and no commit goes unnoticed.
import { randomBytes } from "node:crypto";
import type { MongoServerError } from "mongodb";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { connectMongo, type Mongo } from "../../../../core/base/mongo/client.ts";
import {
  DatabaseTooSlow,
  isDatabaseAway,
  isPassing,
  isWriteConflict,
  TooManyConflicts,
} from "../../../../core/base/mongo/errors.ts";
import { inTx, Reconsider, type TxContext } from "../../../../core/base/mongo/in-tx.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { uriByPort } from "../../../support/database.ts";
import { startTcpProxy, type TcpProxy } from "../../../support/tcp-proxy.ts";
import { waitFor } from "../../../support/wait-for.ts";

type Doc = { _id: string; n?: number };

/** So long that a busy machine writes and commits within it. */
const GIVE_UP_MS = 3_000;

let proxy: TcpProxy;
/** One client connects directly, and one through a proxy that the test can freeze. */
let straight: Mongo;
let mongo: Mongo;
beforeEach(async () => {
  const uri = inject("mongodUri");
  const name = `test_${randomBytes(6).toString("hex")}`;
  proxy = await startTcpProxy(Number(new URL(uri).port));
  straight = await connectMongo(uri, name);
  mongo = await connectMongo(uriByPort(proxy.port), name);
  await straight.db.createCollection("docs");
});
afterEach(async () => {
  await proxy.restore();
  await proxy.cut();
  await straight.db.dropDatabase();
  await Promise.all([straight.client.close(), mongo.client.close()]);
});

const docs = ({ db }: Mongo) => db.collection<Doc>("docs");
const insert = ({ session }: TxContext, id = "a") => docs(mongo).insertOne({ _id: id }, { session });
const count = () => docs(straight).countDocuments();

describe("a transaction on a hanging connection", () => {
  test("returns to its caller at the deadline, and is not committed when the connection recovers", async () => {
    let goOn = () => {};
    const over = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const work = async (tx: TxContext) => {
      await insert(tx);
      proxy.blackHole();
      try {
        await insert(tx, "b");
      } finally {
        goOn();
      }
    };
    await expect(inTx({ mongo, clock: systemClock }, work, { timeoutMs: GIVE_UP_MS })).rejects.toThrow(
      DatabaseTooSlow,
    );
    await proxy.restore();
    await over;
    // The transaction was aborted and its locks are free: another one writes the same documents.
    await waitFor("the locks to be gone", async () => {
      await inTx(
        { mongo: straight, clock: systemClock },
        ({ session }) => docs(straight).insertOne({ _id: "a" }, { session }),
        {
          maxConflicts: 1,
        },
      );
      return true;
    });
    expect(await docs(straight).distinct("_id")).toEqual(["a"]);
  });

  test("has an unknown outcome when its commit hangs, and reports a commit that succeeded later", async () => {
    const late: string[] = [];
    const tx = inTx({ mongo, clock: systemClock }, async (tx) => (await insert(tx)).insertedId, {
      timeoutMs: GIVE_UP_MS,
      beforeCommit: () => proxy.blackHole(),
      onLateCommit: (id) => late.push(id),
    });
    const error = await tx.catch((caught: unknown) => caught);
    expect([error instanceof DatabaseTooSlow, isDatabaseAway(error), late]).toEqual([true, true, []]);
    await proxy.restore();
    await waitFor("the late commit", () => late.length === 1);
    expect([late, await count()]).toEqual([["a"], 1]);
  });

  test("is retried on another connection when its own is half open", async () => {
    let tries = 0;
    await inTx({ mongo, clock: systemClock }, async (tx) => {
      if (tries++ === 0) proxy.halfOpen();
      await insert(tx);
    });
    expect([tries, await count()]).toEqual([2, 1]);
  });
});

describe("a transaction", () => {
  test("stops after the configured number of lost conflicts", async () => {
    await docs(straight).insertOne({ _id: "a", n: 0 });
    let tries = 0;
    const increment = ({ db }: Mongo, { session }: TxContext) =>
      db.collection<Doc>("docs").updateOne({ _id: "a" }, { $inc: { n: 1 } }, { session });
    await inTx({ mongo: straight, clock: systemClock }, async (other) => {
      await increment(straight, other);
      const losing = inTx({ mongo, clock: systemClock }, (tx) => increment(mongo, tx), {
        maxConflicts: 3,
        onTries: (n) => {
          tries = n;
        },
      });
      await expect(losing).rejects.toThrow(TooManyConflicts);
    });
    expect([tries, await docs(straight).findOne({ _id: "a" })]).toEqual([3, { _id: "a", n: 1 }]);
  });

  test("a transaction that loses conflicts until its deadline reports contention, not an outage", async () => {
    await docs(straight).insertOne({ _id: "a", n: 0 });
    const increment = ({ db }: Mongo, { session }: TxContext) =>
      db.collection<Doc>("docs").updateOne({ _id: "a" }, { $inc: { n: 1 } }, { session });
    await inTx({ mongo: straight, clock: systemClock }, async (other) => {
      await increment(straight, other);
      const error = await inTx({ mongo: straight, clock: systemClock }, (tx) => increment(straight, tx), {
        timeoutMs: GIVE_UP_MS,
      }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(TooManyConflicts);
      expect(String(error)).toMatch(/^TooManyConflicts: lost \d+ write conflicts in \d+ tries$/);
      expect([isDatabaseAway(error), isWriteConflict(error), isPassing(error)]).toEqual([false, true, true]);
    });
    expect(await docs(straight).findOne({ _id: "a" })).toEqual({ _id: "a", n: 1 });
  });

  test("is retried after the losers before it: a hundred on one document all succeed", async () => {
    await docs(straight).insertOne({ _id: "a", n: 0 });
    let tries = 0;
    const increment = async ({ session }: TxContext) => {
      const { n = 0 } = (await docs(straight).findOne({ _id: "a" }, { session })) ?? {};
      await docs(straight).updateOne({ _id: "a" }, { $set: { n: n + 1 } }, { session });
    };
    await Promise.all(
      Array.from({ length: 100 }, () =>
        inTx({ mongo: straight, clock: systemClock }, increment, {
          timeoutMs: 50_000,
          onTries: (n) => (tries += n),
        }),
      ),
    );
    expect(await docs(straight).findOne({ _id: "a" })).toEqual({ _id: "a", n: 100 });
    console.log(`${tries} tries for 100 transactions`);
    // Fewer than three tries each: the first, the one after the other losers, and a few that met another's first try.
    expect(tries).toBeLessThan(300);
  });

  /** As the server does with a transaction that is older than its limit, or that it has lost. */
  const drop = ({ session }: TxContext) =>
    straight.client.db("admin").command({ killSessions: [session.id] });
  const NO_SUCH_TRANSACTION = 251;

  test.each(["before its last write", "before its commit"])(
    "is retried when the server has dropped it %s",
    async (when) => {
      const failed: unknown[] = [];
      let tries = 0;
      await inTx({ mongo: straight, clock: systemClock }, async (tx) => {
        await docs(straight).insertOne({ _id: "a" }, { session: tx.session });
        if (tries++ === 0) await drop(tx);
        if (when === "before its commit") return;
        await docs(straight)
          .insertOne({ _id: "b" }, { session: tx.session })
          .catch((error: MongoServerError) => {
            failed.push(error.code);
            throw error;
          });
      });
      const isCommit = when === "before its commit";
      expect([tries, await count(), failed]).toEqual([
        2,
        isCommit ? 1 : 2,
        isCommit ? [] : [NO_SUCH_TRANSACTION],
      ]);
    },
  );

  test("reports an outage when the server has dropped each try until its deadline", async () => {
    const error = await inTx(
      { mongo: straight, clock: systemClock },
      async (tx) => {
        await docs(straight).insertOne({ _id: "a" }, { session: tx.session });
        await drop(tx);
      },
      { timeoutMs: GIVE_UP_MS },
    ).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DatabaseTooSlow);
    expect(error).toMatchObject({ cause: { code: NO_SUCH_TRANSACTION } });
    expect([isDatabaseAway(error), isPassing(error), await count()]).toEqual([true, true, 0]);
  });

  test("reports an outage when the process stood still past the deadline and the server has dropped the try", async () => {
    const error = await inTx(
      { mongo: straight, clock: systemClock },
      async (tx) => {
        await docs(straight).insertOne({ _id: "a" }, { session: tx.session });
        await drop(tx);
        const dropped = await docs(straight)
          .insertOne({ _id: "b" }, { session: tx.session })
          .catch((caught: unknown) => caught);
        const untilMs = performance.now() + GIVE_UP_MS;
        while (performance.now() < untilMs);
        throw dropped;
      },
      { timeoutMs: GIVE_UP_MS },
    ).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DatabaseTooSlow);
    expect(error).toMatchObject({ cause: { code: NO_SUCH_TRANSACTION } });
    expect([isDatabaseAway(error), isPassing(error), await count()]).toEqual([true, true, 0]);
  });

  test("keeps nothing when the check before the commit fails", async () => {
    const refused = new Error("nobody wants it any more");
    const tx = inTx({ mongo, clock: systemClock }, (tx) => insert(tx), {
      beforeCommit: () => {
        throw refused;
      },
    });
    await expect(tx).rejects.toBe(refused);
    expect(await count()).toBe(0);
  });

  test("a transaction that reconsiders drops its writes, and decides again within the same deadline", async () => {
    const times: Date[] = [];
    const clock = { now: () => new Date(times.length) };
    const why = await inTx({ mongo, clock }, async (tx) => {
      times.push(tx.now);
      const earlier = tx.reconsidered?.get("order 1");
      await insert(tx, earlier === undefined ? "wrong" : "right");
      if (earlier === undefined) throw new Reconsider("order 1", "it is gone");
      return earlier;
    });
    expect([why, await docs(straight).distinct("_id")]).toEqual(["it is gone", ["right"]]);
    expect(times).toEqual([new Date(0), new Date(0)]);
  });

  test("a transaction that reconsiders the same state again fails", async () => {
    let tries = 0;
    const again = inTx({ mongo, clock: systemClock }, async () => {
      tries += 1;
      throw new Reconsider("order 1", "it is gone");
    });
    await expect(again).rejects.toThrow("order 1: it is gone");
    expect(tries).toBe(2);
  });
});
