// stripe-mock, Stripe's own stateless validator of requests: built by Go into the project's cache, run on a free port.
import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { promisify } from "node:util";
import { CACHE_DIR } from "../../../runtime/mongod/binary-cache.ts";
import { freePort } from "../../../runtime/process/free-port.ts";
import { waitFor } from "../wait-for.ts";

const VERSION = "v0.203.0";
const FOLDER = join(CACHE_DIR, `stripe-mock-${VERSION.slice(1)}`);
const BINARY = join(FOLDER, "stripe-mock");
/** It is compiled once on each machine. */
export const BUILD_BOUND_MS = 600_000;
/** It reads megabytes of fixtures first. */
const START_BOUND_MS = 120_000;

/** The go command; undefined where there is none. */
function findGo(): string | undefined {
  return ["go", "/usr/local/go/bin/go"].find((command) => {
    try {
      execFileSync(command, ["version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

const go = existsSync(BINARY) ? undefined : findGo();

export const canRunStripeMock = existsSync(BINARY) || go !== undefined;

export type StripeMock = { readonly baseUrl: string; close(): Promise<void> };

export async function startStripeMock(): Promise<StripeMock> {
  if (go !== undefined)
    await promisify(execFile)(go, ["install", `github.com/stripe/stripe-mock@${VERSION}`], {
      env: { ...process.env, GOBIN: FOLDER },
      timeout: BUILD_BOUND_MS,
    });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  // Without an https option it uses a fixed port for that.
  const addresses = ["-http-addr", `127.0.0.1:${port}`, "-https-addr", "127.0.0.1:0"];
  const child = spawn(BINARY, addresses, { stdio: "ignore" });
  const hasStarted = () =>
    fetch(baseUrl).then(
      () => true,
      () => undefined,
    );
  await waitFor("stripe-mock", hasStarted, START_BOUND_MS).catch((error: unknown) => {
    child.kill();
    throw error;
  });
  return {
    baseUrl,
    close: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
