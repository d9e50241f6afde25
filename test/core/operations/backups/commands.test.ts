// `atelier backup` and `atelier restore` as operators run them: separate processes with a core's settings and no core.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { runCliProcess } from "../../../cli/run-cli.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { type TestDatabase, useTestDatabase } from "../../../support/database.ts";
import { useFolder } from "../../../support/shared.ts";

const folder = useFolder();

const source = useTestApp();
const target = useTestDatabase();

function atelier(database: TestDatabase, ...args: string[]) {
  const env = {
    PATH: process.env["PATH"] ?? "",
    MONGODB_URI: database.uri,
    ATELIER_MONGO_DATABASE: database.name,
    ATELIER_LOG_LEVEL: "silent",
  };
  return runCliProcess(env, ...args);
}

test("a backup is made and restored by two commands, and a second restore is refused in one line", async () => {
  const { accountId } = await createCustomer(source.app);
  const made = await atelier(source.database, "--json", "backup", folder(), "--keep", "1");
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
  const [name] = readdirSync(folder());
  expect(JSON.parse(made.stdout)).toMatchObject({ ok: true, path: folder(name ?? ""), removed: [] });
  const restored = await atelier(target, "restore", folder());
  expect([restored.exitCode, restored.stderr]).toEqual([0, ""]);
  expect(restored.stdout).toContain("checked 1 accounts, 1 ledger entries, 0 jobs: all is right");
  expect(
    await target.mongo.db.collection<{ _id: string }>("accounts").findOne({ _id: accountId }),
  ).not.toBeNull();
  const again = await atelier(target, "restore", folder());
  expect([again.exitCode, again.stdout]).toEqual([1, ""]);
  expect(again.stderr).toMatch(/^error: The database test_\w+ is not empty: .+\n$/);
});
