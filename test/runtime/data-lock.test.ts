import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataFolder } from "../../runtime/process/data-lock.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "atelier-lock-")), "data");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

test("a release leaves the folder free and without a lock file", () => {
  lockDataFolder(folder).release();
  expect(readdirSync(folder)).toEqual([]);
  lockDataFolder(folder).release();
});

test("a lock of a dead process is taken over", async () => {
  lockDataFolder(folder);
  const lockFile = join(folder, "service.lock");
  writeFileSync(lockFile, JSON.stringify({ pid: await deadPid(), url: "http://localhost:8080" }));
  const lock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow("already running");
  lock.release();
});

test("a lock whose pid belongs to another process is taken over", () => {
  lockDataFolder(folder);
  // This process's pid, recorded with another start time.
  writeFileSync(join(folder, "service.lock"), JSON.stringify({ pid: process.pid, started: "1" }));
  expect(() => lockDataFolder(folder)).not.toThrow();
});

test("an unreadable lock file does not stop a start", () => {
  lockDataFolder(folder);
  writeFileSync(join(folder, "service.lock"), "");
  expect(() => lockDataFolder(folder)).not.toThrow();
});
