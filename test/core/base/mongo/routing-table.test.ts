// The routing table of a cluster, as a cluster keeps it in its configuration, here in a database of its own: there is no mongos to ask.
import { Long, MaxKey, MinKey, Timestamp, UUID } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  followTable,
  hashedKey,
  openRoutingTable,
  readTable,
  shardIn,
  type Table,
} from "../../../../core/base/mongo/routing-table.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { waitFor } from "../../../support/wait-for.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const NAMESPACE = "atelier.accounts";
const ids = Array.from({ length: 200 }, (_, n) => `acc_${n}é`);

/** As `config.collections` and `config.chunks` have them since MongoDB 5; each part of the key begins where the last one ends. */
async function layOut(
  key: object,
  parts: readonly (readonly [from: unknown, shard: string])[],
): Promise<void> {
  const { db } = database.mongo;
  const uuid = new UUID();
  await db
    .collection<{ _id: string }>("collections")
    .replaceOne({ _id: NAMESPACE }, { key, uuid }, { upsert: true });
  await db.collection("chunks").insertMany(
    parts.map(([from, shard], n) => ({
      uuid,
      min: { _id: from },
      max: { _id: parts[n + 1]?.[0] ?? new MaxKey() },
      shard,
      lastmod: new Timestamp({ t: 1, i: n }),
    })),
  );
}

test("the key of a hashed index is reckoned as MongoDB does", async () => {
  const hashed = database.mongo.db.collection<{ _id: string }>("hashed");
  await hashed.createIndex({ _id: "hashed" });
  await hashed.insertMany(ids.map((_id) => ({ _id })));
  for (const id of ids.slice(0, 20)) {
    const [key] = await hashed
      .find({ _id: id }, { hint: "_id_hashed", returnKey: true, useBigInt64: true })
      .toArray();
    expect(key?._id, id).toBe(hashedKey(id));
  }
});

test("a collection that is sharded by hashes lies where its chunks say", async () => {
  const [quarter, half] = [-(2n ** 62n), 0n];
  await layOut({ _id: "hashed" }, [
    [new MinKey(), "one"],
    [Long.fromBigInt(quarter), "two"],
    [Long.fromBigInt(half), "three"],
  ]);
  const table = await readTable(database.mongo.db, NAMESPACE, undefined);
  for (const id of ids) {
    const key = hashedKey(id);
    expect(shardIn(table, id)).toBe(key < quarter ? "one" : key < half ? "two" : "three");
  }
  expect(new Set(ids.map((id) => shardIn(table, id)))).toEqual(new Set(["one", "two", "three"]));
});

test("one that is sharded by ranges does too, and one that is not sharded lies in one place", async () => {
  await layOut({ _id: 1 }, [
    [new MinKey(), "one"],
    ["acc_b", "two"],
    ["acc_c", "three"],
  ]);
  const table = await readTable(database.mongo.db, NAMESPACE, undefined);
  const shards = ["acc_", "acc_azz", "acc_b", "acc_bz", "acc_c", "acc_z"].map((id) => shardIn(table, id));
  expect(shards).toEqual(["one", "one", "two", "two", "three", "three"]);
  for (const namespace of ["atelier.plans", NAMESPACE]) {
    await layOut({ region: 1, _id: 1 }, [[new MinKey(), "one"]]);
    const other = await readTable(database.mongo.db, namespace, undefined);
    expect(new Set(ids.map((id) => shardIn(other, id)))).toEqual(new Set([""]));
  }
});

test("it is read again only when it has changed", async () => {
  await layOut({ _id: 1 }, [[new MinKey(), "one"]]);
  const first = await readTable(database.mongo.db, NAMESPACE, undefined);
  expect(await readTable(database.mongo.db, NAMESPACE, first)).toBe(first);
  // A chunk that moves gets a higher version.
  await database.mongo.db
    .collection("chunks")
    .updateMany({}, { $set: { shard: "two", lastmod: new Timestamp({ t: 2, i: 0 }) } });
  expect(shardIn(await readTable(database.mongo.db, NAMESPACE, first), "acc_1")).toBe("two");
});

test("a map follows it, and keeps what it knows while the table cannot be had", async () => {
  const tables: (Table | Error)[] = ["one", "two"].map((shard) => ({
    version: shard,
    kind: "range",
    chunks: [{ from: null, shard }],
  }));
  tables.splice(1, 0, new Error("away"));
  let reads = 0;
  const map = await followTable(async () => {
    const next = tables[Math.min(reads++, tables.length - 1)];
    if (!next || next instanceof Error) throw next;
    return next;
  }, -1);
  expect(map.shardOf("acc_1")).toBe("one");
  await waitFor("the table to be tried again", () => reads > 1 && map.shardOf("acc_1") === "two");
});

test("who may not read it works with one lane, and a replica set has none", async () => {
  const map = await followTable(() => Promise.reject(Object.assign(new Error("no"), { code: 13 })), 60_000);
  expect(map.shardOf("acc_1")).toBe("");
  await expect(followTable(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await openRoutingTable(database.mongo.client, NAMESPACE)).toBeUndefined();
});
