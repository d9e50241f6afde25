// atelier migrate
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import type { Cli } from "../session.ts";

/** A process of core's own. It opens the database without a core, which would not start on data that are too old for it. */
const UPGRADE = fileURLToPath(new URL("../../core/upgrade.ts", import.meta.url));

export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command("migrate")
    .description(
      "bring the data to the schema version that this version needs; takes core's settings, not a running core",
    )
    .option("--check", "only say what is left to do; ends with 1 when that is something")
    .action(async ({ check = false }: { check?: boolean }) => {
      const options = [...(check ? ["--check"] : []), ...(cli.wantsJson() ? ["--json"] : [])];
      cli.exitWith(await runToEnd(UPGRADE, options));
    });
}

/** Its output goes where ours does. Answers the exit code. */
function runToEnd(entry: string, options: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...options], { stdio: "inherit" });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
