// atelier migrate
import type { Command } from "commander";
import { runEntry } from "../run-entry.ts";
import type { Cli } from "../session.ts";

export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command("migrate")
    .description(
      "bring the data to the schema version that this version needs; takes core's settings, not a running core",
    )
    .option("--check", "only say what is left to do; ends with 1 when that is something")
    .action(({ check = false }: { check?: boolean }) =>
      runEntry(cli, "core/entry/upgrade.ts", check ? ["--check"] : []),
    );
}
