// The project in git.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 256 * 1024 * 1024;

/** git's output without the last line end. */
export function git(project: string, ...args: readonly string[]): string {
  return gitBytes(project, ...args)
    .toString("utf8")
    .trimEnd();
}

export function gitBytes(project: string, ...args: readonly string[]): Buffer {
  return execFileSync("git", args, {
    cwd: project,
    maxBuffer: MAX_BYTES,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

export function isFile(project: string, path: string): boolean {
  return existsSync(join(project, path));
}

export class Refusal extends Error {}
