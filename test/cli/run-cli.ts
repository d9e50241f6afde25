// Runs the CLI in this process, or in a separate one whose environment is only what the test gives.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runCli } from "../../cli/program.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import type { TestAppOptions } from "../support/app.ts";
import { COMPILED } from "../support/child-env.ts";
import { type TestCore, useTestCore } from "../support/core.ts";

export const CLI_ENTRY = fileURLToPath(new URL("../../cli/atelier.ts", import.meta.url));

export type CliResult = { exitCode: number; stdout: string; stderr: string };

export function runCliProcess(env: Record<string, string>, ...args: string[]): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [CLI_ENTRY, ...withReason(args)],
      { env: { ...COMPILED, ...env }, timeout: 60_000 },
      (error, stdout, stderr) => {
        const exitCode = error ? error.code : 0;
        if (typeof exitCode === "number") resolve({ exitCode, stdout, stderr });
        else reject(error ?? new Error("the command did not exit by itself"));
      },
    );
  });
}

/** All that the separate process does except its start. */
export async function runCliHere(env: Record<string, string>, ...args: string[]): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  const exitCode = await runCli(withReason(args), {
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
    write: async (text) => {
      stdout += text;
    },
    userName: () => "tester",
    readConfig: () => loadConfig(env),
  });
  return { exitCode, stdout, stderr };
}

/** Every change needs a reason. Tests that are not about reasons use this one. */
export function withReason(args: readonly string[]): readonly string[] {
  return args.includes("--reason") ? args : ["--reason", "a test", ...args];
}

/** A core for all tests of the file, and the CLI with its settings. */
export function useCli(options?: TestAppOptions): {
  core: TestCore;
  run(...args: string[]): Promise<CliResult>;
  /** The JSON that a command printed. Fails when the command failed. */
  json<T = unknown>(...args: string[]): Promise<T>;
} {
  const core = useTestCore(options);
  const run = (...args: string[]) => runCliHere(core.env, ...args);
  async function json<T>(...args: string[]): Promise<T> {
    const { exitCode, stdout, stderr } = await run("--json", ...args);
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }
  return { core, run, json };
}
