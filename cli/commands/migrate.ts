// atelier migrate
import type { Command } from "commander";
import { runEntry } from "../run-entry.ts";
import type { Cli } from "../session.ts";

export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command("migrate")
    .description(
      "migrate the data to the schema version of this release; needs core's settings, but no running core",
    )
    .option("--check", "only list pending migrations; exits with 1 if there are any")
    .action(({ check = false }: { check?: boolean }) =>
      runEntry(cli, "core/entry/upgrade.ts", check ? ["--check"] : []),
    );
}
