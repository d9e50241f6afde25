// atelier audit
import type { Command } from "commander";
import type { AuditFinding } from "../../proto/types/atelier/v1/AuditFinding.ts";
import type { AuditReport } from "../../proto/types/atelier/v1/AuditReport.ts";
import type { BookLine } from "../../proto/types/atelier/v1/BookLine.ts";
import { counted } from "../layout.ts";
import type { Cli } from "../session.ts";

/** The number of findings that are printed; more would hide the first. */
const MAX_PRINTED = 20;

export function addAuditCommand(program: Command, cli: Cli): void {
  program
    .command("audit")
    .description("recompute accounts from their ledger entries and jobs; exits with 1 if anything is wrong")
    .option("--account <account>", "only this account")
    .option(
      "--model",
      "also check the order of each job's events and entries against the model of the protocol",
    )
    .action(async ({ account = "", model = false }: { account?: string; model?: boolean }) => {
      const { accounts, entries, jobs, book, findings, done } = await cli.withCore(async (core) => {
        const all: AuditFinding[] = [];
        let last: Omit<AuditReport, "findings"> = { accounts: 0, entries: 0, jobs: 0, book: [], done: false };
        for await (const report of core.admin.Audit({ account, model })) {
          all.push(...report.findings);
          last = report;
        }
        return { ...last, findings: all };
      });
      const clean = done && findings.length === 0;
      const counts = `${counted(accounts, "account")}, ${counted(entries, "ledger entry", "ledger entries")}, ${counted(jobs, "job")}`;
      cli.show(
        { ok: clean, accounts, entries, jobs, book, findings },
        `checked ${counts}${clean ? ": all is right" : ""}\n${bookInWords(book)}`,
      );
      const [first, ...others] = findings.map(({ account_id, what }) => `${account_id} ${what}`);
      if (first)
        cli.fail(
          [first, ...others.slice(0, MAX_PRINTED), ...more(others.length - MAX_PRINTED)].join("\n       "),
        );
      else if (!done) cli.fail("the audit ended before it was done; run it again");
    });
}

/** Those of the house are negative where they gave more credits than they got. */
function bookInWords(book: readonly BookLine[]): string {
  const sum = book.reduce((all, { credits }) => all + credits, 0);
  return `credits: ${book.map(({ name, credits }) => `${name} ${credits}`).join(", ")}; they add up to ${sum}`;
}

function more(left: number): string[] {
  return left > 0 ? [`and ${counted(left, "more finding")}`] : [];
}
