// atelier backup, atelier restore
import type { Command } from "commander";
import { wholeNumber } from "../parse.ts";
import { runEntryOnData } from "../run-entry.ts";
import type { Cli } from "../session.ts";

export function addBackupCommands(program: Command, cli: Cli): void {
  program
    .command("backup <folder>")
    .description(
      "write all data, as they are at one moment, into a new folder in this one; takes core's settings, and the service may go on",
    )
    .option("--keep <n>", "afterwards remove all but the newest n backups in the folder", wholeNumber)
    .option("--files", "copy what an object store holds, too")
    .action((folder: string, { keep, files = false }: { keep?: number; files?: boolean }) =>
      runEntryOnData(cli, "core/entry/backup.ts", [
        folder,
        ...(keep === undefined ? [] : ["--keep", String(keep)]),
        ...(files ? ["--files"] : []),
      ]),
    );
  program
    .command("restore <folder>")
    .description("put a backup, the newest of the folder, into an empty database, upgrade it and audit it")
    .option("--check", "only prove that the backup is what was written")
    .option("--files", "put the files that the backup has of an object store into the one that is configured")
    .option("--again", "drop what a restore that was broken off has left, and start over")
    .action((folder: string, wishes: Readonly<Record<"check" | "files" | "again", true | undefined>>) =>
      runEntryOnData(cli, "core/entry/restore.ts", [
        folder,
        ...(["check", "files", "again"] as const).filter((wish) => wishes[wish]).map((wish) => `--${wish}`),
      ]),
    );
}
