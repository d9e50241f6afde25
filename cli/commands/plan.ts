// atelier plan set | list | price
import type { Command } from "commander";
import { dollars, listing } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";
import { accountText } from "./account.ts";

export function addPlanCommands(program: Command, cli: Cli): void {
  const plan = program.command("plan").description("list plans and move accounts between them");

  plan
    .command("list")
    .description("list the plans")
    .action(async () => {
      const { plans } = await cli.withCore((core) => core.models.ListPlans({}));
      cli.show(
        plans,
        listing(plans, {
          PLAN: "plan",
          NAME: "name",
          "JOBS AT A TIME": "concurrency",
          API: ({ api }) => (api ? "yes" : "no"),
          "CREDITS A MONTH": "monthly_credits",
          "PRICE A MONTH": ({ price_usd: usd }) => (usd === undefined ? "not sold" : dollars(usd * 100)),
        }),
      );
    });

  plan
    .command("set <account> <plan>")
    .description("move an account to another plan, from its next request on")
    .action((account: string, plan: string) =>
      cli.report((core) => core.admin.SetPlan({ account, plan }), accountText),
    );

  plan
    .command("price <plan> <cents>")
    .description("set the monthly price of a plan; existing subscriptions keep their price")
    .action(async (plan: string, cents: string) => {
      const price_cents = wholeNumber(cents);
      await cli.report(
        (core) => core.admin.SetPlanPrice({ plan, price_cents }),
        ({ name, price_usd = 0 }) => `${name}: ${dollars(price_usd * 100)} a month`,
      );
    });
}
