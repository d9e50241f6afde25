// Runs the later migration on the named database, and pauses in its fourth batch until it is killed.
import { MIGRATIONS } from "../../core/base/migrations/list.ts";
import { runMigrations } from "../../core/base/migrations/run.ts";
import { connectMongo } from "../../core/base/mongo/client.ts";
import { laterMigration } from "./later-migration.ts";

const LEASE_MS = 1_000;
const [uri = "", database = ""] = process.argv.slice(2);
const mongo = await connectMongo(uri, database);
let batches = 0;
const halting = laterMigration(async () => {
  batches += 1;
  if (batches < 4) return;
  console.log("three batches are done");
  await new Promise(() => setInterval(() => {}, LEASE_MS));
});
await runMigrations(mongo, { migrations: [...MIGRATIONS, halting], onDone: () => {}, leaseMs: LEASE_MS });
