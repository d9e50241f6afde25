// The verifier in Go.
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const FOLDER = fileURLToPath(new URL("../../clients/verify-go", import.meta.url));
const FETCH_BOUND_MS = 30_000;
/** A machine that never built Go code compiles much of its standard library. */
export const BUILD_BOUND_MS = 600_000;

/** The command; undefined where Go is not installed. */
export const GO = ["go", "/usr/local/go/bin/go"].find(
  (command) => spawnSync(command, ["version"]).status === 0,
);

/** Why the verifier cannot be built on this machine; undefined where it can. */
export function whyNoVerifier(): string | undefined {
  if (!GO) return "Go is not installed";
  const { status, stderr } = spawnSync(GO, ["mod", "download"], { cwd: FOLDER, timeout: FETCH_BOUND_MS });
  return status === 0 ? undefined : `golang.org/x/mod cannot be fetched: ${String(stderr).slice(0, 200)}`;
}

/** Builds it in this folder, and returns its path. Fails with what the compiler says. */
export async function buildVerifier(folder: string): Promise<string> {
  const program = join(folder, "verify-go");
  await promisify(execFile)(GO ?? "", ["build", "-buildvcs=false", "-o", program, "."], { cwd: FOLDER });
  return program;
}

export type Verified = { readonly code: number | null; readonly said: string };

/** Runs a verifier, whichever it is. */
export async function runVerifier(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Verified> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, said: stdout + stderr }),
    );
  });
}
