// The process behind `npm run atelier -- migrate`: opens the database itself, because no core starts on data that are too old for it.
import { parseArgs } from "node:util";
import { type Config, ConfigError, loadConfig } from "../runtime/config.ts";
import { createLog } from "../runtime/log.ts";
import { requireSetting } from "../runtime/process/run.ts";
import { StartupError } from "../runtime/process/startup-error.ts";
import { migrate } from "./migrate.ts";
import { FIRST_VERSION, MIGRATIONS } from "./migrations/list.ts";
import { findSchemaVersion, refuseNewer } from "./migrations/schema-version.ts";
import { connectMongo, type Mongo } from "./mongo/client.ts";

const { check = false, json = false } = parseArgs({
  options: { check: { type: "boolean" }, json: { type: "boolean" } },
}).values;

try {
  await withDatabase(loadConfig(), check ? tellWhatIsLeft : bringUp);
} catch (error) {
  if (!(error instanceof Error) || !isPlain(error)) throw error;
  fail(error.name.startsWith("Mongo") ? `MongoDB cannot be used: ${error.message}` : error.message);
}

async function withDatabase(
  config: Config,
  work: (mongo: Mongo, config: Config) => Promise<void>,
): Promise<void> {
  const why = "npm start migrates the database that it embeds by itself";
  const mongo = await connectMongo(requireSetting(config, "mongodbUri", why), config.mongoDatabase);
  try {
    await work(mongo, config);
  } finally {
    await mongo.client.close();
  }
}

async function tellWhatIsLeft({ db }: Mongo): Promise<void> {
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

async function bringUp(mongo: Mongo, config: Config): Promise<void> {
  // What is done is told as it is done, beside the result.
  const log = createLog(config.logLevel, "migrate", process.stderr);
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

function show(machine: unknown, people: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(machine)}\n` : `${people.join("\n")}\n`);
}

function fail(text: string): void {
  process.exitCode = 1;
  process.stderr.write(
    json ? `${JSON.stringify({ error: { code: "migration", message: text } })}\n` : `error: ${text}\n`,
  );
}

function isPlain(error: Error): boolean {
  return error instanceof StartupError || error instanceof ConfigError || error.name.startsWith("Mongo");
}
