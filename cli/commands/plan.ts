// atelier plan set | list
import type { Command } from "commander";
import { count, table } from "../layout.ts";
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
          ["PLAN", "NAME", "JOBS AT A TIME", "API", "CREDITS A MONTH"],
          ...plans.map((row) => [
            row.plan,
            row.name,
            count(row.concurrency),
            row.api ? "yes" : "no",
            count(row.monthly_credits),
          ]),
        ]),
      );
    });

  plan
    .command("set <account> <plan>")
    .description("move an account to another plan; holds from its next request on")
    .action(async (account: string, plan: string) => {
      showAccount(cli, await cli.withCore((core) => core.admin.SetPlan({ account, plan })));
    });
}
