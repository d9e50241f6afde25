// atelier plan set | list | price
import type { Command } from "commander";
import { count, dollars, table } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";
import { showAccount } from "./account.ts";

export function addPlanCommands(program: Command, cli: Cli): void {
  const plan = program.command("plan").description("list plans and move accounts between them");

  plan
    .command("list")
    .description("list the plans")
    .action(async () => {
      const { plans } = await cli.withCore((core) => core.models.ListPlans({}));
      cli.show(
        plans,
        table([
          ["PLAN", "NAME", "JOBS AT A TIME", "API", "CREDITS A MONTH", "PRICE A MONTH"],
          ...plans.map((row) => [
            row.plan,
            row.name,
            count(row.concurrency),
            row.api ? "yes" : "no",
            count(row.monthly_credits),
            row.price_usd === undefined ? "not sold" : dollars(row.price_usd * 100),
          ]),
        ]),
      );
    });

  plan
    .command("set <account> <plan>")
    .description("move an account to another plan, from its next request on")
    .action(async (account: string, plan: string) => {
      showAccount(cli, await cli.withCore((core) => core.admin.SetPlan({ account, plan })));
    });

  plan
    .command("price <plan> <cents>")
    .description("set the monthly price of a plan; existing subscriptions keep their price")
    .action(async (name: string, cents: string) => {
      const price_cents = wholeNumber(cents);
      const changed = await cli.withCore((core) => core.admin.SetPlanPrice({ plan: name, price_cents }));
      cli.show(changed, `${changed.name}: ${dollars((changed.price_usd ?? 0) * 100)} a month`);
    });
}
