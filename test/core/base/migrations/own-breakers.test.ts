// Data of a release whose workers shared their circuit breakers through the database.
import { expect, test } from "vitest";
import { ownBreakers } from "../../../../core/base/migrations/0008-own-breakers.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { runBatches } from "./run-batches.ts";

const database = useTestDatabase();

test("drops the collection of shared circuit breakers, and changes nothing the second time", async () => {
  const { db } = database.mongo;
  const names = async () =>
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  const migrate = () => runBatches(database.mongo, ownBreakers, 10);
  await db.collection("providers").insertOne({ _id: "test" as never, revision: 1 });
  await db.collection("provider_breakers").insertOne({ _id: "test flux" as never, state: "open" });
  expect(await migrate()).toBe(1);
  expect(await names()).toEqual(["providers"]);
  expect(await migrate()).toBe(1);
  expect(await names()).toEqual(["providers"]);
});
