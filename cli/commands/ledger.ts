// atelier ledger
import { type Command, Option } from "commander";
import { fromMessages } from "../../proto/codec.ts";
import { ledgerEntrySchema, LEDGER_KINDS } from "../../proto/resources/credits.ts";
import { withOrderNumbers } from "../../proto/resources/order.ts";
import { count, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type Options = {
  kind: string;
  job: string;
  since?: string;
  until?: string;
  limit: number;
  cursor: string;
};

export function addLedgerCommand(program: Command, cli: Cli): void {
  program
    .command("ledger <account>")
    .description("list an account's ledger, newest first")
    .addOption(
      new Option("--kind <kind>", "only entries of these kinds").choices(LEDGER_KINDS).default("", "all"),
    )
    .option("--job <job_id>", "only entries of this job", "")
    .option("--since <time>", "only entries since this time", time)
    .option("--until <time>", "only entries before this time", time)
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 50)
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action(async (account: string, { job, since = "", until = "", ...rest }: Options) => {
      const page = await cli.withCore((core) =>
        core.admin.ListAccountLedger({ account, job_id: job, since, until, ...rest }),
      );
      const entries = fromMessages(ledgerEntrySchema, page.entries);
      const rows = entries.map((entry) => [
        String(entry.seq),
        entry.created_at,
        entry.kind,
        count(entry.amount),
        count(entry.hold),
        count(entry.balance_after),
        count(entry.held_after),
        entry.job_id ?? withOrderNumbers(entry.memo ?? ""),
      ]);
      const header = ["SEQ", "AT", "KIND", "AMOUNT", "HOLD", "BALANCE", "HELD", "JOB OR MEMO"];
      cli.show(
        { entries, next_cursor: page.next_cursor },
        listing(header, rows, { nothing: "no entries", cursor: page.next_cursor }),
      );
    });
}
