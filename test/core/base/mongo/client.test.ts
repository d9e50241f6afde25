// The time by which core decides comes from the database's responses, not from the machine's clock.
import { MongoClient } from "mongodb";
import { pino } from "pino";
import { afterEach, describe, expect, test, vi, inject, onTestFinished } from "vitest";
import { connectMongo } from "../../../../core/base/mongo/client.ts";
import { combine, offsetOf, startDatabaseClock } from "../../../../core/base/mongo/database-clock.ts";
import type { DriverState } from "../../../../core/base/mongo/driver-registries.ts";
import { checkSkew } from "../../../../runtime/clock.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { newForEachTest } from "../../../support/shared.ts";

const MINUTES_10 = 600_000;
const log = pino({ level: "silent" });

describe("a response of the database", () => {
  test("bounds the time by the moments of request and response", () => {
    // Sent at 100, received at 140: the server read its clock in between.
    expect(offsetOf(5_000, 100, 140)).toEqual({ lowMs: 4_860, highMs: 4_901, atMs: 140 });
  });

  test("narrows the bounds, and never beyond the drift since", () => {
    const known = offsetOf(5_000, 100, 102);
    const slow = offsetOf(7_000, 2_000, 2_400);
    const both = combine(known, slow);
    expect(both.lowMs).toBeGreaterThan(known.lowMs - 3);
    expect(both.highMs).toBeLessThan(known.highMs + 3);
    const quick = combine(slow, offsetOf(7_500, 2_599, 2_600));
    expect(quick.highMs - quick.lowMs).toBeLessThanOrEqual(2);
  });

  test("a response of the database that contradicts earlier bounds replaces them: a clock was set, or another server answers", () => {
    const known = offsetOf(5_000, 100, 102);
    const other = offsetOf(12_000, 1_100, 1_102);
    expect(combine(known, other)).toEqual(other);
  });
});

test("a process connects that is busy until the time to select a server is over", async () => {
  const connecting = connectMongo(inject("mongodUri"), "admin");
  // Connecting takes several turns of the event loop. Of these, only two come before the driver's 3 s are over.
  for (let turn = 0; turn < 3; turn++) {
    const untilMs = performance.now() + 1_200;
    while (performance.now() < untilMs);
    await new Promise(setImmediate);
  }
  const { client, db } = await connecting;
  onTestFinished(() => client.close());
  expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});

describe("the database clock", () => {
  const database = newForEachTest(() => createTestDatabase());
  afterEach(() => vi.useRealTimers());

  async function databaseNowMs(): Promise<number> {
    const { localTime } = await database.mongo.db.command({ hello: 1 });
    return (localTime as Date).getTime();
  }

  test.each([MINUTES_10, -MINUTES_10])(
    "shows the database's time on a machine that is %i ms off",
    async (skewMs) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + skewMs });
      const clock = await startDatabaseClock(database.mongo, log);
      const before = await databaseNowMs();
      const now = clock.now().getTime();
      const after = await databaseNowMs();
      await clock.stop();
      expect(now).toBeGreaterThanOrEqual(before - Math.ceil(clock.errorMs()));
      expect(now).toBeLessThanOrEqual(after + 1 + Math.ceil(clock.errorMs()));
      expect(Math.abs(clock.skewMs() - skewMs)).toBeLessThan(1_000);
      expect(checkSkew(clock.skewMs())).toBe(
        `this machine's clock is ${(Math.abs(clock.skewMs()) / 1000).toFixed(1)} s ${skewMs > 0 ? "ahead of" : "behind"} the database's; up to 2 s are allowed`,
      );
    },
  );

  test("does not follow changes of the machine's own clock", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const clock = await startDatabaseClock(database.mongo, log);
    const before = clock.now().getTime();
    vi.setSystemTime(Date.now() - MINUTES_10);
    const after = clock.now().getTime();
    await clock.stop();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after - before).toBeLessThan(MINUTES_10 / 2);
    expect(clock.skewMs()).toBeLessThan(-MINUTES_10 / 2);
  });

  test("follows a new primary with another clock", async () => {
    let aheadMs = 0;
    const server = {
      client: {
        db: () => ({
          command: async () => ({ localTime: new Date(1_700_000_000_000 + performance.now() + aheadMs) }),
        }),
      },
    } as never;
    const clock = await startDatabaseClock(server, log, 5);
    aheadMs = 30_000;
    const aheadNow = () => clock.now().getTime() - 1_700_000_000_000 - performance.now();
    await expect.poll(aheadNow).toBeGreaterThan(29_000);
    await clock.stop();
  });

  test("rejects when the database does not answer", async () => {
    const away = { client: { db: () => ({ command: () => Promise.reject(new Error("away")) }) } } as never;
    await expect(startDatabaseClock(away, log)).rejects.toThrow("away");
  });
});

test("an offset of up to 2 s between a machine and the database is allowed", () => {
  expect([2_000, -2_000, 0].map(checkSkew)).toEqual([true, true, true]);
  expect(checkSkew(2_001)).toContain("2.0 s ahead of the database's");
  expect(checkSkew(-2_001)).toContain("2.0 s behind the database's");
});

// Options in the database URL, and those that it cannot override.
test("a database URL cannot override the connection timeouts or enable compression", async () => {
  const uri = new URL(inject("mongodUri"));
  for (const [name, value] of [
    ["connectTimeoutMS", "30000"],
    ["socketTimeoutMS", "0"],
    ["heartbeatFrequencyMS", "60000"],
    ["compressors", "zlib"],
    ["appName", "said-by-the-address"],
  ] as const)
    uri.searchParams.set(name, value);
  const { client } = await connectMongo(uri.href, "test_client");
  onTestFinished(() => client.close());
  expect(client.options).toMatchObject({
    connectTimeoutMS: 4_000,
    socketTimeoutMS: 30_000,
    heartbeatFrequencyMS: 1_000,
    compressors: ["none"],
    // Options that the service does not set come from the URL.
    appName: "said-by-the-address",
  });
});

function stateOf(client: MongoClient): DriverState {
  return (client as unknown as { s: DriverState }).s;
}

test("the client has our registries of sessions and cursors where the driver has Sets", async () => {
  const plain = new MongoClient(inject("mongodUri"));
  expect(stateOf(plain)).toMatchObject({ activeSessions: new Set(), activeCursors: new Set() });
  const { client, db } = await connectMongo(inject("mongodUri"), "test_client");
  onTestFinished(() => client.close());
  const used = () => {
    const { activeSessions, activeCursors } = stateOf(client);
    return [[...activeSessions].length, [...activeCursors].length];
  };
  expect(stateOf(client).activeSessions).not.toBeInstanceOf(Set);
  const session = client.startSession();
  const cursor = db.aggregate([{ $documents: [{ n: 1 }, { n: 2 }, { n: 3 }] }], { batchSize: 1, session });
  await cursor.next();
  expect(used()).toEqual([1, 1]);
  await cursor.close();
  expect(used()).toEqual([1, 0]);
  const left = db.aggregate([{ $documents: [{ n: 1 }, { n: 2 }, { n: 3 }] }], { batchSize: 1, session });
  await left.next();
  await client.close();
  expect([session.hasEnded, left.closed, ...used()]).toEqual([true, true, 0, 0]);
});
