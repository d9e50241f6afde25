// The indexes that a database has are those that the slices declare.
import { expect, test } from "vitest";
import { ensureCollections, expiryIndex } from "../../../../core/base/mongo/indexes.ts";
import { useTestDatabase } from "../../../support/database.ts";

const database = useTestDatabase();

test("MongoDB removes a document when it expires, or the given time later", async () => {
  const { db } = database.mongo;
  const holds = "nothing of an account";
  await ensureCollections(db, [
    { name: "brief", holds, indexes: [expiryIndex("it is of no use")] },
    { name: "lasting", holds, indexes: [expiryIndex("it is of no use", 3_600)] },
  ]);
  const indexesOf = (name: string) => db.collection(name).indexes();
  expect(await indexesOf("brief")).toContainEqual(
    expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }),
  );
  expect(await indexesOf("lasting")).toContainEqual(
    expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 3_600 }),
  );
});
