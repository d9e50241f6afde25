// atelier download list
import type { Command } from "commander";
import { listing } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addDownloadCommands(program: Command, cli: Cli): void {
  program
    .command("download")
    .description("list downloads")
    .command("list <account>")
    .description("list the downloads of an account, newest first")
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action(async (account: string, { cursor }: { cursor: string }) => {
      const page = await cli.withCore((core) => core.admin.ListAccountDownloads({ account, cursor }));
      cli.show(
        page,
        listing(
          ["DOWNLOAD", "PRODUCT", "FILE", "VERSION", "LICENCE", "NETWORK", "REQUESTS", "FIRST", "LAST"],
          page.downloads.map((row) => [
            row.download_id,
            row.product_slug,
            row.name,
            row.version,
            row.licence_id,
            row.network,
            String(row.requests),
            row.first_at,
            row.last_at,
          ]),
          { nothing: "no downloads", cursor: page.next_cursor },
        ),
      );
    });
}
