// atelier reconcile
import { type Command, Option } from "commander";
import { fromMessages } from "../../proto/codec.ts";
import { providerCallSchema } from "../../proto/resources/margin.ts";
import { BILL_FORMATS, type BillFormat, readBill } from "../bill.ts";
import { UsageError } from "../failure.ts";
import { openFile } from "../files.ts";
import { counted, fields } from "../layout.ts";
import { describeFinding, MICROS, money, periodOf, Reconciliation } from "../reconcile-rules.ts";
import type { Cli } from "../session.ts";

/**
 * A provider's clock and the service's differ, and a call may end long after it was billed, so calls around the bill's time are included.
 */
const AROUND_MS = 24 * 60 * 60 * 1000;
/** The number of findings that are printed; more would hide the first. --json has all. */
const MAX_PRINTED = 100;

type Flags = { format?: BillFormat; currency: string; since?: string; until?: string };

const FORM = `
A CSV file names its columns in the first line: reference and amount; currency and at if it has them. fal's
billing events (GET /v1/models/billing-events) and OpenAI's costs (GET /v1/organization/costs) are read as
JSON; OpenAI's have days in place of calls. Exits with 1 if anything is unexplained.`;

export function addReconcileCommand(program: Command, cli: Cli): void {
  program
    .command("reconcile <provider> <csv>")
    .description("compare a provider's bill with calls and ledger")
    .addOption(
      new Option("--format <format>", "form of the bill; by its content if left out").choices(BILL_FORMATS),
    )
    .option("--currency <currency>", "of a CSV file that names none", "USD")
    .option("--since <time>", "begin of the bill; its first line if left out")
    .option("--until <time>", "end of the bill; its last line if left out")
    .addHelpText("after", FORM)
    .action((provider: string, file: string, flags: Flags) => reconcile(cli, provider, file, flags));
}

async function reconcile(cli: Cli, provider: string, file: string, flags: Flags): Promise<void> {
  const bill = await readBill((await openFile(file)) as AsyncIterable<Buffer>, {
    format: flags.format,
    currency: flags.currency,
  });
  const told = periodOf(bill.lines, bill.days);
  const since = timeOf("--since", flags.since) ?? told?.since;
  const until = timeOf("--until", flags.until) ?? told?.until;
  if (!since || !until)
    throw new UsageError("The bill has no times. Say what it is about with --since and --until.");
  const matching = new Reconciliation(bill, { since, until });
  await cli.withCore(async (core) => {
    const around = {
      since: new Date(since.getTime() - AROUND_MS).toISOString(),
      until: new Date(until.getTime() + AROUND_MS).toISOString(),
    };
    for await (const { calls } of core.admin.ListProviderCalls({ provider, ...around }))
      for (const call of fromMessages(providerCallSchema, calls)) matching.call(call);
  });
  const { matched, refunded, findings } = matching.result();
  const unread = bill.faults.map(({ line, message }) => `line ${line} ${message}`);
  const words = [...unread, ...findings.map(describeFinding)];
  cli.show(
    {
      provider,
      since: since.toISOString(),
      until: until.toISOString(),
      matched,
      refunded: { calls: refunded.calls, amount: refunded.micros / MICROS },
      unreadable: bill.faults,
      findings,
    },
    [
      ...words.slice(0, MAX_PRINTED),
      ...(words.length > MAX_PRINTED ? [`… and ${words.length - MAX_PRINTED} more`] : []),
      fields([
        ["matched", counted(matched, bill.days.length > 0 ? "day" : "line")],
        [
          "refunded",
          `${counted(refunded.calls, "call")} of them, ${money({ micros: refunded.micros, currency: flags.currency })}`,
        ],
        ["unexplained", counted(words.length, "line")],
      ]),
    ].join("\n"),
  );
  if (words.length > 0)
    cli.fail(`${counted(words.length, "line")} of the bill or the calls could not be explained.`);
}

function timeOf(option: string, text: string | undefined): Date | undefined {
  const at = text === undefined ? undefined : new Date(text);
  if (at && Number.isNaN(at.getTime())) throw new UsageError(`${option} must be a time such as 2026-11-01.`);
  return at;
}
