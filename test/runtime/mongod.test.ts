// The embedded MongoDB: data persist, a crash is repaired, and no process is left behind.
import { once } from "node:events";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { Writable } from "node:stream";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectMongo } from "../../core/base/mongo/client.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { type Mongod, nextTryMs, startMongod } from "../../runtime/mongod/mongod.ts";
import { isAlive } from "../../runtime/process/alive.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

const folder = useFolder("forEachTest");
let logged: string[];
const started: Mongod[] = [];

beforeEach(() => {
  logged = [];
});

afterEach(() => Promise.all(started.splice(0).map((mongod) => mongod.stop())));

const findBinary = () => findMongod({ path: loadConfig().mongodPath, say: () => {} });

type Wanted = { port?: number; binary?: string; open?: boolean };

/** `open`: without authentication, as in older releases. */
async function start({ port = 0, binary, open = false }: Wanted = {}): Promise<Mongod> {
  const lines = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged.push(chunk.toString());
      done();
    },
  });
  const mongod = await startMongod({
    binary: binary ?? (await findBinary()),
    dbPath: folder("db"),
    logPath: folder("mongod.log"),
    ...(open ? {} : { accessDir: folder() }),
    port,
    cacheGb: 0.25,
    log: createLog("info", "test", lines),
    onLost: (error) => logged.push(error.message),
  });
  started.push(mongod);
  return mongod;
}

async function write(uri: string, name: string): Promise<void> {
  const mongo = await connectMongo(uri, "shop");
  await mongo.db.collection("vases").insertOne({ name });
  await mongo.client.close();
}

async function read(uri: string): Promise<unknown[]> {
  const mongo = await connectMongo(uri, "shop");
  const names = await mongo.db.collection("vases").distinct("name");
  await mongo.client.close();
  return names;
}

test("data survive a stop, also with another port", async () => {
  const first = await start();
  await write(first.uri, "blue");
  await first.stop();
  expect(isAlive(first.pid())).toBe(false);

  const second = await start();
  expect(second.port).not.toBe(first.port);
  expect(await read(second.uri)).toEqual(["blue"]);
});

test("a killed mongod restarts on the same port with every acknowledged write, and one log line", async () => {
  const mongod = await start();
  await write(mongod.uri, "red");
  const pid = mongod.pid();
  process.kill(pid, "SIGKILL");
  await waitFor("the restart", () => mongod.pid() !== pid);
  expect(await read(mongod.uri)).toEqual(["red"]);
  expect(logged.filter((line) => line.includes("ended unexpectedly"))).toHaveLength(1);
});

test("a restart after a checkpoint repeats no earlier write", async () => {
  const mongod = await start();
  await write(mongod.uri, "blue");
  await mongod.checkpoint();
  const before = readFileSync(folder("mongod.log"), "utf8").length;
  const pid = mongod.pid();
  process.kill(pid, "SIGKILL");
  await waitFor("the restart", () => mongod.pid() !== pid);
  expect(await read(mongod.uri)).toEqual(["blue"]);
  expect(readFileSync(folder("mongod.log"), "utf8").slice(before)).not.toContain("shop.vases");
});

test("a killed guard ends its mongod, and both are replaced", async () => {
  const mongod = await start();
  await write(mongod.uri, "green");
  const pid = mongod.pid();
  process.kill(parentOf(pid), "SIGKILL");
  await waitFor("the restart", () => mongod.pid() !== pid);
  expect(isAlive(pid)).toBe(false);
  expect(await read(mongod.uri)).toEqual(["green"]);
});

test("a taken port is reported in one line with the setting to change", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  await expect(start({ port })).rejects.toThrow(
    `Port ${port} (embedded MongoDB) is taken by another process. Stop it, or set ATELIER_MONGO_PORT to another port.`,
  );
  taken.close();
});

test("a data folder in use by another mongod is reported in one line with the setting to change", async () => {
  await start();
  await expect(start()).rejects.toThrow(
    `The data folder ${folder("db")} is in use by another mongod. Stop that one, or set ATELIER_DATA_DIR to another folder.`,
  );
});

describe("access to the embedded mongod", () => {
  const anonymous = (mongod: Mongod) => `mongodb://127.0.0.1:${mongod.port}/?directConnection=true`;

  test("needs its key or password to read, write or create a user; others may only send hello", async () => {
    const mongod = await start();
    await write(mongod.uri, "white");
    const client = new MongoClient(anonymous(mongod));
    const admin = client.db("admin");
    expect(await admin.command({ hello: 1 })).toMatchObject({ ok: 1 });
    const makeUser = { createUser: "eve", pwd: "eve", roles: ["root"] };
    for (const attempt of [
      () => client.db("shop").collection("vases").findOne(),
      () => client.db("shop").collection("vases").insertOne({ name: "black" }),
      () => admin.command({ listDatabases: 1 }),
      () => admin.command(makeUser),
      () => admin.command({ shutdown: 1 }),
    ])
      await expect(attempt()).rejects.toMatchObject({ codeName: "Unauthorized" });
    await client.close();
    expect(await read(mongod.uri)).toEqual(["white"]);
  });

  test("does not include creating users or changing the server", async () => {
    const mongod = await start();
    const client = new MongoClient(mongod.uri);
    const admin = client.db("admin");
    for (const command of [{ createUser: "eve", pwd: "eve", roles: ["root"] }, { shutdown: 1 }])
      await expect(admin.command(command)).rejects.toMatchObject({ codeName: "Unauthorized" });
    await client.close();
  });

  test("is by files that only their owner reads; clients use the URL file", async () => {
    const mongod = await start();
    for (const file of ["mongo.key", "mongo.uri", "mongod.log"])
      expect([file, statSync(folder(file)).mode & 0o777]).toEqual([file, 0o600]);
    const address = readFileSync(folder("mongo.uri"), "utf8").trim();
    expect(address).toBe(mongod.uri);
    const { password } = new URL(mongod.uri);
    expect(readFileSync(folder("mongod.log"), "utf8")).not.toContain(password);
  });

  test("is closed for older data without a key from their next start", async () => {
    const before = await start({ open: true });
    await write(before.uri, "old");
    await before.stop();

    const after = await start();
    expect(await read(after.uri)).toEqual(["old"]);
    await write(after.uri, "new");
    await expect(read(anonymous(after))).rejects.toThrow("requires authentication");
    await after.stop();
    expect(await read((await start()).uri)).toEqual(["new", "old"]);
  });
});

test("compression is disabled in the server and all clients", async () => {
  const mongod = await start({ open: true });
  const packing = new MongoClient(`${mongod.uri}&compressors=zlib,snappy`);
  const hello = await packing.db("admin").command({ hello: 1, compression: ["zlib", "snappy", "zstd"] });
  expect(hello["compression"]).toBeUndefined();
  await packing.close();
  const mongo = await connectMongo(`${mongod.uri}&compressors=zlib`, "shop");
  expect(mongo.client.options.compressors).toEqual(["none"]);
  await mongo.client.close();
});

test("a mongod that fails to restart after a long run is retried with growing waits", async () => {
  const real = await findBinary();
  const once = folder("mongod-once");
  writeFileSync(
    once,
    `#!/bin/sh\n[ -e ${folder()}/ran ] && exit 9\n: > ${folder()}/ran\nexec ${real} "$@"\n`,
  );
  chmodSync(once, 0o755);
  const mongod = await start({ binary: once });
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  process.kill(mongod.pid(), "SIGKILL");
  const waits = () => logged.join("").match(/(?<=starting it again in )\d+/g) ?? [];
  await waitFor("the fourth try", () => waits().length >= 4);
  clock.mockRestore();
  expect(waits().slice(0, 4)).toEqual(["100", "500", "1000", "2000"]);
});

/** Linux only, as is the mongod that the tests fetch. */
function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

const MINUTE_MS = 60_000;

/** For a mongod that runs `upMs` each time: the number of starts before it is given up, and the waits before them. */
function crashes(upMs: number, times = 1_000): (number | undefined)[] {
  const failedAtMs: number[] = [];
  const waits: (number | undefined)[] = [];
  let nowMs = 0;
  for (let i = 0; i < times && (waits.at(-1) !== undefined) === waits.length > 0; i++) {
    nowMs += upMs;
    failedAtMs.push(nowMs);
    const waitMs = nextTryMs(failedAtMs, nowMs);
    waits.push(waitMs);
    nowMs += waitMs ?? 0;
  }
  return waits;
}

test("a first crash restarts immediately, and each later one after a longer wait", () => {
  expect(crashes(0)).toEqual([100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, undefined]);
});

test("a minute of running does not reset the count", () => {
  expect(crashes(MINUTE_MS + 1)).toEqual([100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, undefined]);
});

test("crashes older than ten minutes are not counted", () => {
  expect(crashes(11 * MINUTE_MS, 50)).toEqual(Array.from({ length: 50 }, () => 100));
});
