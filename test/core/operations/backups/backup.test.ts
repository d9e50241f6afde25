// A backup is a snapshot of a running service, and the restored data equal it. Damaged, incomplete and misplaced backups are refused.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Binary, BSON, Double, Long, Timestamp } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import { FIRST_VERSION, MIGRATIONS } from "../../../../core/base/migrations/list.ts";
import { findSchemaVersion } from "../../../../core/base/migrations/schema-version.ts";
import { readAt } from "../../../../core/base/mongo/snapshot-time.ts";
import { openObjectStore } from "../../../../core/base/objects/object-store.ts";
import { openData } from "../../../../core/entry/migrate.ts";
import { restoreDatabase, type RestoreRequest } from "../../../../core/entry/restore-database.ts";
import { saveOutputs } from "../../../../core/kernel/outputs/save.ts";
import { checkBackup, findBackup } from "../../../../core/operations/backups/find.ts";
import { restoreBackup } from "../../../../core/operations/backups/restore.ts";
import { lastBackupSeconds } from "../../../../core/operations/backups/slice.ts";
import { type BackupRequest, writeBackup } from "../../../../core/operations/backups/write.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { runCliProcess } from "../../../cli/run-cli.ts";
import { acceptMany, acceptOne, askFor, cancelJob } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putReleaseData } from "../../../support/release-data.ts";
import { type S3Server, startS3Server } from "../../../support/s3-server.ts";
import { newForEachTest, useFolder } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";

const NEWEST = FIRST_VERSION + MIGRATIONS.length;
const LOADS = 4;
const JOBS_AT_ONCE = 10;

/** Holds one backup, which tests copy and damage. */
const shelf = useFolder();
const folder = useFolder("forEachTest");
/** Backups of one test are a minute apart by their clock. */
let made = 0;
const clock: Clock = { now: () => new Date(Date.UTC(2026, 0, 1, 0, made)) } as Clock;

const source = useTestApp();
beforeAll(async () => {
  await acceptOne(source.app, (await createCustomer(source.app)).caller);
  await backUp({ folder: shelf() });
});
const target = newForEachTest(() => createTestDatabase());

function backUp(wish: Partial<BackupRequest> = {}, app = source.app) {
  made += 1;
  return writeBackup({ ...app, clock }, { folder: folder(), files: false, release: "0.0.0", ...wish });
}

/** The path of an earlier backup in the folder of this test. */
function takeBackup(): string {
  cpSync(shelf(), folder(), { recursive: true });
  return folder(readdirSync(folder())[0] ?? "");
}

function restore(wish: Partial<RestoreRequest> = {}) {
  const app = { ...source.app, mongo: target.mongo };
  return restoreDatabase(app, { folder: folder(), files: false, again: false, ...wish });
}

/** Moves credits until it is stopped: jobs are accepted and cancelled. Returns the ids of the confirmed ones. */
function startMoving(): { confirmed: string[]; stop(): Promise<void> } {
  const confirmed: string[] = [];
  let isOver = false;
  const loads = Array.from({ length: LOADS }, async () => {
    const { accountId, caller } = await createCustomer(source.app, { plan: "studio", credits: 1_000_000 });
    while (!isOver) {
      const jobs = await acceptMany(source.app, JOBS_AT_ONCE, askFor(caller));
      confirmed.push(...jobs.map(({ _id }) => _id));
      for (const { _id } of jobs) await cancelJob(source.app, accountId, _id);
    }
  });
  return {
    confirmed,
    stop: async () => {
      isOver = true;
      await Promise.all(loads);
    },
  };
}

test("a backup under load is one snapshot: the restored data audit clean and have everything confirmed before", async () => {
  const moving = startMoving();
  await waitFor("jobs to be accepted", () => moving.confirmed.length > 50);
  const before = [...moving.confirmed];
  const { manifest } = await backUp();
  const after = moving.confirmed.length;
  await moving.stop();
  // Jobs were accepted during the backup; otherwise this proves nothing.
  expect(after).toBeGreaterThan(before.length);
  const { audit } = await restore();
  expect(audit.findings).toEqual([]);
  expect(audit.jobs).toBeGreaterThanOrEqual(before.length);
  const { seconds, ordinal } = manifest.cluster_time;
  const moment = new Timestamp({ t: seconds, i: ordinal });
  for (const name of ["accounts", "jobs", "ledger", "api_keys", "schema", "models"]) {
    const then = await Array.fromAsync(readAt<{ _id: string }>(source.database.mongo.db, name, {}, moment));
    const restored = await target.mongo.db.collection<{ _id: string }>(name).find().toArray();
    const byId = (one: { _id: string }, other: { _id: string }) => (one._id < other._id ? -1 : 1);
    expect(restored.toSorted(byId), name).toEqual(then.toSorted(byId));
  }
  const ids = new Set(
    (await target.mongo.db.collection<{ _id: string }>("jobs").find().toArray()).map(({ _id }) => _id),
  );
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  expect(await lastBackupSeconds(source.app)).toBe(Date.parse(manifest.at) / 1000);
});

test("the restored data are identical to the last bit", async () => {
  const document = {
    _id: "n",
    double: new Double(1),
    long: Long.fromNumber(1),
    int: 1,
    bytes: new Binary(Buffer.of(7)),
  };
  await source.database.mongo.db.collection<{ _id: string }>("numbers").insertOne(document);
  await backUp();
  await source.database.mongo.db.collection("numbers").drop();
  await restore();
  const [raw] = await target.mongo.db.collection("numbers").find({}, { raw: true }).toArray();
  expect(Buffer.from(raw as unknown as Uint8Array)).toEqual(Buffer.from(BSON.serialize(document)));
});

describe("files of an object store", () => {
  const output = {
    bytes: Buffer.from("a picture"),
    mimeType: "image/webp",
    width: 1,
    height: 1,
    contentCredentials: "off" as const,
  };
  const storeOf = (s3: S3Server) => openObjectStore(loadConfig({ ...s3.env }));

  test("are copied, linked by the next backup, and restored into another store", async () => {
    const [s3, other] = [await startS3Server(), await startS3Server()];
    const app = { ...source.app, objects: storeOf(s3) };
    const { accountId } = await createCustomer(source.app);
    const save = () =>
      saveOutputs(app, { accountId, jobId: source.app.newId("job") }, [output], new AbortController().signal);
    await save();
    const [lost] = (await save()).outputs;
    const lostKey = [...s3.objects.keys()].find((key) => key.endsWith(lost?.output_id ?? "-")) ?? "";
    s3.objects.delete(lostKey);
    const first = await backUp({ files: true }, app);
    expect(first.manifest.objects).toMatchObject({ named: 2, copied: true, missing: 1 });
    s3.requests.length = 0;
    const { path, manifest } = await backUp({ files: true }, app);
    expect(s3.requests).toEqual([`GET ${lostKey}`]);
    await restoreDatabase(
      { ...source.app, mongo: target.mongo, objects: storeOf(other) },
      { folder: path, files: true, again: false },
    );
    const [[key, kept] = ["", undefined]] = s3.objects;
    expect(other.objects).toEqual(new Map([[key, kept]]));
    // The backup's own data are checked anyway.
    appendFileSync(join(path, "objects", key), "x");
    await expect(checkBackup({ path, manifest })).rejects.toThrow(`${key} has 10 bytes, and had 9`);
  });

  test("are only listed without the option to copy them, and cannot be restored then", async () => {
    const s3 = await startS3Server();
    const app = { ...source.app, objects: storeOf(s3) };
    const { manifest } = await backUp({}, app);
    expect(manifest.objects).toMatchObject({ copied: false, missing: 0 });
    await expect(restore({ files: true })).rejects.toThrow("made without --files");
    expect(await target.mongo.db.listCollections().toArray()).toEqual([]);
  });
});

test("a backup is readable by its owner only", async () => {
  const { path } = await findBackup(shelf());
  expect(statSync(path).mode & 0o077).toBe(0);
  for (const name of readdirSync(path))
    expect([name, statSync(join(path, name)).mode & 0o077]).toEqual([name, 0]);
});

describe("a damaged backup", () => {
  const flip = (path: string) => {
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  test.each<[string, (path: string) => void, string]>([
    ["ledger.bson.zst", flip, "is not what was written"],
    ["jobs.bson.zst", (path) => truncateSync(path, 20), "is cut off"],
    ["jobs.bson.zst", (path) => appendFileSync(path, "x"), "is cut off"],
    ["accounts.bson.zst", rmSync, "is missing"],
    ["manifest.json", flip, "is not what was written"],
    ["manifest.json.sha256", rmSync, "is missing"],
  ])("is refused before anything is restored because of its %s", async (name, damage, words) => {
    damage(join(takeBackup(), name));
    await expect(restore()).rejects.toThrow(`${name} ${words}`);
    expect(await target.mongo.db.listCollections().toArray()).toEqual([]);
  });
});

test("an unfinished backup is never used", async () => {
  const path = takeBackup();
  renameSync(path, `${path}.partial`);
  await expect(restore()).rejects.toThrow("is no backup, and holds none");
  await expect(restore({ folder: `${path}.partial` })).rejects.toThrow("was never finished");
});

test("a failed backup leaves nothing behind", async () => {
  const broken = { ...source.app, objects: undefined };
  await expect(backUp({ files: true }, broken)).rejects.toThrow("No object store is configured");
  expect(readdirSync(folder())).toEqual([]);
});

test("the newest backups are kept, and the remains of a killed one are removed", async () => {
  for (let n = 0; n < 3; n++) await backUp();
  const left = folder("2026-01-01T00-00-30Z.partial");
  mkdirSync(left);
  utimesSync(left, new Date(0), new Date(0));
  mkdirSync(folder("somebody-else"));
  const [oldest, second, third] = readdirSync(folder()).filter((name) => name.endsWith("Z"));
  const { path, removed } = await backUp({ keep: 2 });
  expect(removed).toEqual([second, oldest]);
  expect(readdirSync(folder()).map((name) => folder(name))).toEqual(
    [third ?? "", path.slice(folder().length + 1), "somebody-else"].map((name) => folder(name)),
  );
});

test("a restore into a database that is not empty is refused, and changes nothing", async () => {
  takeBackup();
  await target.mongo.db.collection<{ _id: string }>("notes").insertOne({ _id: "mine" });
  await expect(restore()).rejects.toThrow("is not empty");
  await expect(restore({ again: true })).rejects.toThrow("is not empty");
  expect(await target.mongo.db.collection("notes").find().toArray()).toEqual([{ _id: "mine" }]);
});

test("a backup of a newer schema is refused", async () => {
  const schema = source.database.mongo.db.collection<{ _id: string }>("schema");
  await schema.updateOne({ _id: "schema" }, { $set: { version: NEWEST + 1 } });
  await backUp();
  await schema.updateOne({ _id: "schema" }, { $set: { version: NEWEST } });
  await expect(restore()).rejects.toThrow(`The data are of schema version ${NEWEST + 1}`);
});

test("no process starts on a partial restore, and it can be repeated", async () => {
  takeBackup();
  const { manifest, path } = await findBackup(folder());
  const accounts = manifest.collections.find(({ name }) => name === "accounts");
  // A wrong count with right digests: the restore breaks off midway.
  const wrong = { ...manifest, collections: [{ ...accounts, documents: 1_000_000 }] };
  const app = { ...source.app, mongo: target.mongo };
  await expect(
    restoreBackup(app, { path, manifest: wrong as typeof manifest }, { files: false }),
  ).rejects.toThrow("had 1000000");
  await expect(openData(app)).rejects.toThrow("A backup is being restored");
  await expect(restore()).rejects.toThrow("--again");
  const { audit } = await restore({ again: true });
  expect(audit.findings).toEqual([]);
  await openData(app);
});

test("a backup of an earlier release is migrated", async () => {
  const older = await createTestDatabase();
  const { customers } = await putReleaseData(older.mongo.db, "version-1", "http://127.0.0.1:9");
  const { manifest } = await backUp({}, { ...source.app, mongo: older.mongo });
  await older.drop();
  expect(manifest.schema_version).toBe(FIRST_VERSION);
  const { audit } = await restore();
  expect(audit).toMatchObject({ accounts: customers.length, findings: [] });
  expect(await findSchemaVersion(target.mongo.db)).toBe(NEWEST);
  await openData({ ...source.app, mongo: target.mongo });
});

test.for(["production", "development"])(
  "the check of a backup needs no database and no other settings in %s",
  async (profile) => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: profile,
      // In development an embedded database would be started in it.
      ATELIER_DATA_DIR: folder("data"),
    };
    const path = takeBackup();
    const { exitCode, stdout, stderr } = await runCliProcess(env, "--json", "restore", folder(), "--check");
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, path, manifest: { schema_version: NEWEST } });
    expect(stderr).toContain('"file":"jobs.bson.zst"');
    expect(existsSync(folder("data"))).toBe(false);
  },
);

// `atelier backup` and `atelier restore` as operators run them: separate processes with a core's settings and no core.
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
  await source.empty();
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
