// The processes that open data, and `atelier migrate`, on data of another version.
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { FIRST_VERSION, MIGRATIONS } from "../../../../core/base/migrations/list.ts";
import { openData } from "../../../../core/entry/migrate.ts";
import { startEntry } from "../../../../scripts/testbed/processes.ts";
import { runCliProcess } from "../../../cli/run-cli.ts";
import { createTestApp } from "../../../support/app.ts";
import { newForEachTest, useFolder } from "../../../support/shared.ts";

const NEWEST = FIRST_VERSION + MIGRATIONS.length;

const dataDir = useFolder("forEachTest");
let env: Record<string, string>;

const testApp = newForEachTest(() => createTestApp());
beforeEach(async () => {
  env = {
    MONGODB_URI: inject("mongodUri"),
    ATELIER_MONGO_DATABASE: testApp.database.name,
    ATELIER_DATA_DIR: dataDir(),
  };
});

const schema = () => testApp.app.mongo.db.collection<{ _id: string }>("schema");
const makeNewer = () => schema().updateOne({ _id: "schema" }, { $set: { version: NEWEST + 1 } });

test.each(["core/entry/main.ts", "core/entry/worker.ts", "scripts/start.ts"])(
  "with data of a newer schema %s exits with 1 and one line",
  async (entry) => {
    await makeNewer();
    const refused = startEntry(entry, env);
    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toMatch(/^The data are of schema version \d+, and this version .*\n$/);
  },
);

describe("atelier migrate", () => {
  /** Runs the process that the command starts, without the CLI's own process. */
  const run = async (...args: string[]) => {
    const { ended, stdout, stderr } = startEntry("core/entry/upgrade.ts", env, { args });
    const exitCode = await ended;
    return { exitCode, stdout: stdout(), stderr: stderr() };
  };

  test("--check prints the version of the data and writes nothing", async () => {
    await schema().drop();
    expect(await run("--check")).toMatchObject({
      exitCode: NEWEST === FIRST_VERSION ? 0 : 1,
      stdout: expect.stringMatching(`^schema version ${FIRST_VERSION}, needed ${NEWEST}\n`),
    });
    expect(await schema().findOne()).toBeNull();
  });

  test("brings data without a version to the current one, and changes nothing the second time", async () => {
    await schema().drop();
    expect(await run()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`schema version ${NEWEST}`),
    });
    expect(await run()).toMatchObject({ exitCode: 0, stdout: `schema version ${NEWEST}: nothing to do\n` });
    expect((await run("--check")).exitCode).toBe(0);
    await openData(testApp.app);
  });

  test("prepares an empty database", async () => {
    const fresh = { ...env, ATELIER_MONGO_DATABASE: `test_${randomBytes(6).toString("hex")}` };
    expect(await runCliProcess(fresh, "--json", "migrate")).toMatchObject({
      exitCode: 0,
      stdout: `${JSON.stringify({ ok: true, schema_version: NEWEST, before: null })}\n`,
    });
    await testApp.app.mongo.client.db(fresh.ATELIER_MONGO_DATABASE).dropDatabase();
  });

  test("refuses data that it cannot migrate, or no database, in one line with exit code 1", async () => {
    await makeNewer();
    const refusal = {
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: The data are of schema version \d+, .*\n$/),
    };
    expect(await Promise.all([run(), run("--check")])).toEqual([refusal, refusal]);
    expect(await runCliProcess({ ATELIER_DATA_DIR: dataDir() }, "migrate")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "error: MONGODB_URI is not set: npm start migrates its embedded database automatically.\n",
    });
  });
});
