import { expect, test } from "vitest";
import { createTestDatabase } from "../support/database.ts";

test("each test database is empty, isolated, and supports transactions", async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    await one.mongo.client.withSession((session) =>
      session.withTransaction(async () => {
        await one.mongo.db.collection("things").insertOne({ name: "vase" }, { session });
      }),
    );
    expect(await one.mongo.db.collection("things").countDocuments()).toBe(1);
    expect(await two.mongo.db.collection("things").countDocuments()).toBe(0);
  } finally {
    await Promise.all([one.drop(), two.drop()]);
  }
});
