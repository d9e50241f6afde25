// atelier audit-trail
import type { Command } from "commander";
import { counted, listing } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type Options = { target?: string; bulk: string; limit: number; cursor?: string };

export function addAuditTrailCommand(program: Command, cli: Cli): void {
  program
    .command("audit-trail")
    .description("list requests of operators, newest first, with time, outcome and reason")
    .option("--target <target>", "only requests about this account, key, licence, model, product or service")
    .option("--bulk <bulk_id>", "only requests of this bulk action", "")
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 50)
    .option("--cursor <cursor>", "next_cursor of the previous page")
    .action(async ({ target = "", bulk, limit, cursor = "" }: Options) => {
      const page = await cli.withCore((core) =>
        core.admin.ListAuditTrail({ target, bulk_id: bulk, limit, cursor }),
      );
      const rows = page.entries.map((entry) => [
        entry.at,
        entry.operator || "-",
        entry.service,
        entry.method,
        entry.target,
        entry.detail,
        [entry.outcome || "unknown", entry.result].filter((part) => part !== "").join(": "),
        entry.reason,
      ]);
      const header = ["AT", "OPERATOR", "SERVICE", "METHOD", "TARGET", "DETAIL", "OUTCOME", "REASON"];
      cli.show(
        page,
        listing(header, rows, { nothing: counted(0, "entry", "entries"), cursor: page.next_cursor }),
      );
    });
}
