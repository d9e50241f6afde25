// atelier membership set | end | show | tiers, and tier set
import type { Command } from "commander";
import type { Membership } from "../../proto/types/atelier/v1/Membership.ts";
import { dollars, fields, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

export function addMembershipCommands(program: Command, cli: Cli): void {
  const membership = program
    .command("membership")
    .description("start, extend and end memberships (needs --reason to change)");

  membership
    .command("set <account>")
    .description("start a membership, extend it, or move it to another tier, from the next request on")
    .requiredOption("--tier <tier>", "tier of the membership (see: membership tiers)")
    .requiredOption("--until <time>", "end of the period (date or time)", time)
    .action((account: string, options: { tier: string; until: string }) =>
      cli.report((core) => core.admin.SetMembership({ account, ...options }), membershipText),
    );

  membership
    .command("end <account>")
    .description("end a membership now; licences remain, member keys are refused until it is renewed")
    .action((account: string) => cli.report((core) => core.admin.EndMembership({ account }), membershipText));

  membership
    .command("show <account>")
    .description("show a membership with the account's plan")
    .action((account: string) =>
      cli.report((core) => core.admin.GetAccountMembership({ account }), membershipText),
    );

  membership
    .command("tiers")
    .description("list the tiers")
    .action(async () => {
      const { tiers } = await cli.withCore((core) => core.memberships.ListTiers({}));
      cli.show(
        tiers,
        listing(tiers, {
          TIER: "tier",
          NAME: "name",
          "MEMBER TOOLS": ({ member_tools }) => yesOrNo(member_tools),
          "PLUS PRODUCTS": ({ plus_products }) => yesOrNo(plus_products),
          "OFF PRODUCTS": ({ discount_percent }) => `${discount_percent}%`,
          "A MONTH": ({ monthly_price_cents }) => price(monthly_price_cents),
          "A YEAR": ({ yearly_price_cents }) => price(yearly_price_cents),
        }),
      );
    });
  addTierCommands(program, cli);
}

function addTierCommands(program: Command, cli: Cli): void {
  const tier = program
    .command("tier")
    .description("set prices and discounts of membership tiers (needs --reason)");
  tier
    .command("set <tier>")
    .description("set what a tier costs and takes off products; existing subscriptions keep their price")
    .requiredOption("--monthly-cents <cents>", "price per month", wholeNumber)
    .requiredOption("--yearly-cents <cents>", "price per year", wholeNumber)
    .option("--discount <percent>", "what members pay less for every product", wholeNumber)
    .action(
      async (name: string, options: { monthlyCents: number; yearlyCents: number; discount?: number }) => {
        const { monthlyCents: monthly_price_cents, yearlyCents: yearly_price_cents, discount } = options;
        const terms = { monthly_price_cents, yearly_price_cents, discount_percent: discount };
        await cli.report(
          (core) => core.admin.SetTierPrices({ tier: name, ...terms }),
          ({ name: changed, monthly_price_cents: monthly, yearly_price_cents: yearly, discount_percent }) =>
            `${changed}: ${price(monthly)} a month, ${price(yearly)} a year, ${discount_percent}% off products`,
        );
      },
    );
}

function membershipText(membership: Membership): string {
  return fields([
    ["account", membership.account_id],
    ["status", membership.status],
    ["tier", membership.tier_name ?? "none"],
    ["since", membership.started_at ?? "never"],
    ["until", membership.current_period_end ?? "never"],
    ["member tools", yesOrNo(membership.eligible)],
    ["plus products", yesOrNo(membership.plus_products)],
    ["plan", `${membership.plan_name} (${membership.plan_includes_api ? "with" : "without"} the API)`],
  ]);
}

function price(cents: number | undefined): string {
  return cents === undefined ? "not sold" : dollars(cents);
}

function yesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}
