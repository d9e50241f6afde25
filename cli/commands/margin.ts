// atelier margin
import { type Command, Option } from "commander";
import { fromMessages } from "../../proto/codec.ts";
import { type MarginLineResource, marginLineSchema } from "../../proto/resources/margin.ts";
import { counted, listing } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addMarginCommand(program: Command, cli: Cli): void {
  program
    .command("margin")
    .description("show what a month earned: credits, revenue, cost, margin")
    .option("--month <month>", "as 2026-11, in UTC; the running month if left out", "")
    .addOption(
      new Option("--by <what>", "one line for each")
        .choices(["model", "provider", "plan", "account"])
        .default("model"),
    )
    .action(async ({ month, by }: { month: string; by: string }) => {
      const report = await cli.withCore(async (core) => {
        for await (const one of core.admin.GetMargin({ month, by })) return one;
        throw new Error("core ended without a report");
      });
      const lines = fromMessages(marginLineSchema, report.lines);
      cli.show(
        { month: report.month, by: report.by, lines },
        listing(lines, {
          [by.toUpperCase()]: "key",
          JOBS: "jobs",
          CAPTURED: "credits_captured",
          REFUNDED: "credits_refunded",
          EXPIRED: "credits_expired",
          REVENUE: ({ revenue_usd }) => usd(revenue_usd),
          COST: ({ cost_usd }) => usd(cost_usd),
          MARGIN: ({ margin_usd }) => usd(margin_usd),
          UNEXPLAINED: unexplained,
        }),
      );
    });
}

/** Costs of single calls are fractions of a cent. */
function usd(amount: number): string {
  return `${amount < 0 ? "-" : ""}$${Math.abs(amount).toFixed(4)}`;
}

function unexplained(line: MarginLineResource): string {
  const words = [
    ...(line.uncosted_jobs > 0 ? [`${counted(line.uncosted_jobs, "job")} without cost`] : []),
    ...(line.unpriced_credits > 0 ? [`${counted(line.unpriced_credits, "credit")} without price`] : []),
    ...(line.unfounded_credits > 0 ? [`${counted(line.unfounded_credits, "credit")} from nowhere`] : []),
    ...line.other_costs.map(({ currency, amount }) => `${amount.toFixed(4)} ${currency}`),
  ];
  return words.join(", ") || "-";
}
