// atelier download list
import type { Command } from "commander";
import type { Download } from "../../proto/types/atelier/v1/Download.ts";
import { type Columns, listing } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addDownloadCommands(program: Command, cli: Cli): void {
  program
    .command("download")
    .description("list downloads")
    .command("list <account>")
    .description("list the downloads of an account, newest first")
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action((account: string, page: { cursor: string }) =>
      cli.report(
        (core) => core.admin.ListAccountDownloads({ account, ...page }),
        ({ downloads, next_cursor: cursor }) =>
          listing(downloads, COLUMNS, { nothing: "no downloads", cursor }),
      ),
    );
}

const COLUMNS: Columns<Download> = {
  DOWNLOAD: "download_id",
  PRODUCT: "product_slug",
  FILE: "name",
  VERSION: "version",
  LICENCE: "licence_id",
  NETWORK: "network",
  REQUESTS: "requests",
  FIRST: "first_at",
  LAST: "last_at",
};
