// The project's cache of fetched servers contains complete folders only.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { intoCache } from "../../runtime/mongod/binary-cache.ts";
import { useFolder } from "../support/shared.ts";

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
