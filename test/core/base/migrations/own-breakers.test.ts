// Data of a release whose workers shared their circuit breakers through the database.
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../../runtime/clock.ts";
import { ownBreakers } from "../../../../core/base/migrations/0008-own-breakers.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("drops the collection of shared circuit breakers, and changes nothing the second time", async () => {
  const { db } = database.mongo;
  const names = async () =>
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  const migrate = () =>
    inTx({ mongo: database.mongo, clock: systemClock }, ({ session }) =>
      ownBreakers.batch({ db, session, after: null, limit: 10 }),
    );
  await db.collection("providers").insertOne({ _id: "test" as never, revision: 1 });
  await db.collection("provider_breakers").insertOne({ _id: "test flux" as never, state: "open" });
  expect(await migrate()).toBeNull();
  expect(await names()).toEqual(["providers"]);
  expect(await migrate()).toBeNull();
  expect(await names()).toEqual(["providers"]);
});
