// atelier audit-trail
import type { Command } from "commander";
import type { AuditTrailEntry } from "../../proto/types/atelier/v1/AuditTrailEntry.ts";
import { type Columns, counted, listing } from "../layout.ts";
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
    .action(({ bulk, ...options }: Options) =>
      cli.report(
        (core) => core.admin.ListAuditTrail({ bulk_id: bulk, ...options }),
        ({ entries, next_cursor: cursor }) =>
          listing(entries, COLUMNS, { nothing: counted(0, "entry", "entries"), cursor }),
      ),
    );
}

const COLUMNS: Columns<AuditTrailEntry> = {
  AT: "at",
  OPERATOR: ({ operator }) => operator || "-",
  SERVICE: "service",
  METHOD: "method",
  TARGET: "target",
  DETAIL: "detail",
  OUTCOME: ({ outcome, result }) => [outcome || "unknown", result].filter((part) => part !== "").join(": "),
  REASON: "reason",
};
