// The verifier in Go, built once into the project's cache.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";

const FOLDER = fileURLToPath(new URL("../../clients/verify-go", import.meta.url));
const PROGRAM = join(CACHE_DIR, "verify-go");
const FETCH_BOUND_MS = 60_000;

const go = ["go", "/usr/local/go/bin/go"].find((command) => spawnSync(command, ["version"]).status === 0);

/** Why the verifier cannot be built on this machine; undefined where it can. */
export function whyNoVerifier(): string | undefined {
  if (!go) return "Go is not installed";
  const { status, stderr } = spawnSync(go, ["mod", "download"], { cwd: FOLDER, timeout: FETCH_BOUND_MS });
  return status === 0 ? undefined : `golang.org/x/mod cannot be fetched: ${String(stderr).slice(0, 200)}`;
}

/** Fails with what the compiler says. */
export function buildVerifier(): void {
  execFileSync(go ?? "", ["build", "-buildvcs=false", "-o", PROGRAM, "."], { cwd: FOLDER });
}

export type Verified = { readonly code: number | null; readonly said: string };

export async function runVerifier(args: readonly string[]): Promise<Verified> {
  return new Promise((resolve) => {
    const child = execFile(PROGRAM, args, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, said: stdout + stderr }),
    );
  });
}
