// atelier ledger
import { type Command, Option } from "commander";
import { fromMessages } from "../../proto/codec.ts";
import { type LedgerEntryResource, ledgerEntrySchema, LEDGER_KINDS } from "../../proto/resources/credits.ts";
import { withOrderNumbers } from "../../proto/resources/order.ts";
import { type Columns, listing } from "../layout.ts";
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
      const { next_cursor } = page;
      cli.show(
        { entries, next_cursor },
        listing(entries, COLUMNS, { nothing: "no entries", cursor: next_cursor }),
      );
    });
}

const COLUMNS: Columns<LedgerEntryResource> = {
  SEQ: ({ seq }) => String(seq),
  AT: "created_at",
  KIND: "kind",
  AMOUNT: "amount",
  HOLD: "hold",
  BALANCE: "balance_after",
  HELD: "held_after",
  "JOB OR MEMO": ({ job_id, memo }) => job_id ?? withOrderNumbers(memo ?? ""),
};
