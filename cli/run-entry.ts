// Runs an entry of core as a separate process, for commands that need the database but no running core. Its output goes to the command's
// own output.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Cli } from "./session.ts";

const ROOT = new URL("../", import.meta.url);

export type Entry =
  | "core/entry/upgrade.ts"
  | "core/entry/backup.ts"
  | "core/entry/restore.ts"
  | "core/entry/doctor.ts";

/** The command ends with its exit code. */
export async function runEntry(cli: Cli, entry: Entry, options: readonly string[]): Promise<void> {
  const json = cli.wantsJson() ? ["--json"] : [];
  cli.exitWith(await runToEnd([fileURLToPath(new URL(entry, ROOT)), ...options, ...json]));
}

/**
 * The same with the embedded database, if no MONGODB_URI names another: that of the running service, or one that is started for the
 * command.
 */
export async function runEntryOnData(cli: Cli, entry: Entry, options: readonly string[]): Promise<void> {
  if (cli.config().mongodbUri !== undefined || cli.config().profile === "production")
    return runEntry(cli, entry, options);
  const json = cli.wantsJson() ? ["--json"] : [];
  const beside = fileURLToPath(new URL("scripts/with-database.ts", ROOT));
  cli.exitWith(await runToEnd([beside, fileURLToPath(new URL(entry, ROOT)), ...options, ...json]));
}

function runToEnd(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
