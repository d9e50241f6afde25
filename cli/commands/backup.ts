// atelier backup, atelier restore
import type { Command } from "commander";
import { wholeNumber } from "../parse.ts";
import { runEntry, runEntryOnData } from "../run-entry.ts";
import type { Cli } from "../session.ts";

export function addBackupCommands(program: Command, cli: Cli): void {
  program
    .command("backup <folder>")
    .description(
      "write a consistent snapshot of all data into a new folder inside this one; needs core's settings, the service may run",
    )
    .option("--keep <n>", "then remove all but the newest n backups in the folder", wholeNumber)
    .option("--files", "also copy the object store")
    .action((folder: string, { keep, files = false }: { keep?: number; files?: boolean }) =>
      runEntryOnData(cli, "core/entry/backup.ts", [
        folder,
        ...(keep === undefined ? [] : ["--keep", String(keep)]),
        ...(files ? ["--files"] : []),
      ]),
    );
  program
    .command("restore <folder>")
    .description("restore the newest backup of the folder into an empty database, migrate it and audit it")
    .option("--check", "only verify the checksums of the backup")
    .option("--files", "copy the backup's object store files into the configured object store")
    .option("--again", "drop the data of an interrupted restore and start over")
    .action((folder: string, chosen: Readonly<Record<"check" | "files" | "again", true | undefined>>) => {
      const run = chosen.check ? runEntry : runEntryOnData;
      return run(cli, "core/entry/restore.ts", [
        folder,
        ...(["check", "files", "again"] as const)
          .filter((option) => chosen[option])
          .map((option) => `--${option}`),
      ]);
    });
}
