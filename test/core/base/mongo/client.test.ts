// Options in the database URL, and those that it cannot override.
import { MongoClient } from "mongodb";
import { expect, inject, onTestFinished, test } from "vitest";
import { connectMongo } from "../../../../core/base/mongo/client.ts";
import type { DriverState } from "../../../../core/base/mongo/driver-registries.ts";

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
