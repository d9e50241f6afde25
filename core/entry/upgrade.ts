// The process behind `npm run atelier -- migrate`: it opens the database itself, because no core starts on data that are too old for it.
import { parseArgs } from "node:util";
import { FIRST_VERSION, MIGRATIONS } from "../base/migrations/list.ts";
import { refuseHalfRestored } from "../base/migrations/restoring.ts";
import { findSchemaVersion, refuseNewer } from "../base/migrations/schema-version.ts";
import { type CommandFrame, runCommand } from "./command.ts";
import { migrate } from "./migrate.ts";

const { check = false, json = false } = parseArgs({
  options: { check: { type: "boolean" }, json: { type: "boolean" } },
}).values;

const needsMongo = "npm start migrates its embedded database automatically";
await runCommand({ name: "migration", json, needsMongo }, async (frame) => {
  await refuseHalfRestored(frame.mongo.db);
  await (check ? tellWhatIsLeft(frame) : bringUp(frame));
});

async function tellWhatIsLeft({ mongo: { db }, show, fail }: CommandFrame): Promise<void> {
  const newest = FIRST_VERSION + MIGRATIONS.length;
  const version = (await findSchemaVersion(db)) ?? newest;
  refuseNewer(version, newest);
  const left = MIGRATIONS.filter((migration) => migration.version > version);
  show({ ok: left.length === 0, schema_version: version, needed: newest, migrations: left.map(inWords) }, [
    `schema version ${version}, needed ${newest}`,
    ...left.map((one) => `  ${one.version}  ${one.what}`),
  ]);
  if (left.length > 0) fail("the data are not of the version that is needed. Make a backup, then migrate");
}

async function bringUp({ mongo, log, show }: CommandFrame): Promise<void> {
  const before = (await findSchemaVersion(mongo.db)) ?? null;
  await migrate({ mongo, log });
  const version = FIRST_VERSION + MIGRATIONS.length;
  show({ ok: true, schema_version: version, before }, [
    before === version
      ? `schema version ${version}: nothing to do`
      : `schema version ${version}, before ${before ?? "none"}`,
  ]);
}

function inWords({ version, what }: (typeof MIGRATIONS)[number]) {
  return { version, what };
}
