// atelier subscription list | show | end
import { type Command, Option } from "commander";
import { SUBSCRIPTION_STATES } from "../../proto/resources/subscription.ts";
import type { Subscription } from "../../proto/types/atelier/v1/Subscription.ts";
import { type Columns, listing, table } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addSubscriptionCommands(program: Command, cli: Cli): void {
  const subscription = program
    .command("subscription")
    .description("show and end subscriptions to plans and memberships (needs --reason)");

  subscription
    .command("list [account]")
    .description("list subscriptions of one account or of all, newest first")
    .addOption(new Option("--state <state>", "only orders in this state").choices(SUBSCRIPTION_STATES))
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action((account = "", options: { state?: string; cursor: string }) =>
      cli.report(
        (core) => core.admin.ListAnySubscriptions({ account, ...options }),
        ({ subscriptions, next_cursor: cursor }) =>
          listing(subscriptions, COLUMNS, { nothing: "no subscriptions", cursor }),
      ),
    );

  subscription
    .command("show <subscription_id>")
    .description("show a subscription with its history")
    .action((id: string) =>
      cli.report((core) => core.admin.GetAnySubscription({ subscription_id: id }), describe),
    );

  subscription
    .command("end <subscription_id>")
    .description("end a subscription and its benefits now, without a refund (order refund also refunds)")
    .option("--note <text>", "reason shown to the user", "")
    .action((id: string, { note }: { note: string }) =>
      cli.report(
        (core) => core.admin.EndSubscription({ subscription_id: id, note }),
        (ended) => `${describe(ended)}\nNothing more is charged for it.`,
      ),
    );
}

const COLUMNS: Columns<Subscription> = {
  SUBSCRIPTION: "subscription_id",
  ACCOUNT: "account_id",
  STATE: "state",
  WHAT: "name",
  PRICE: price,
  "PAID UNTIL": "period_end",
};

function describe(subscription: Subscription): string {
  const { subscription_id, account_id, state, name, provider, provider_ref, events } = subscription;
  const { period_start, period_end, next_change } = subscription;
  return [
    `${subscription_id} of ${account_id}: ${state}${subscription.is_suspended ? ", rests while disputed" : ""}`,
    `  ${name}, ${price(subscription)}, paid from ${period_start} until ${period_end}`,
    ...(next_change
      ? [`  from the next period on: ${next_change.what}, by the ${next_change.interval}`]
      : []),
    `  ${provider}: ${provider_ref}`,
    table(events.map(({ seq, at, type, note }) => [String(seq), at, type, note ?? ""])),
  ].join("\n");
}

function price({ price_cents, currency, interval }: Subscription): string {
  return `${(price_cents / 100).toFixed(2)} ${currency.toUpperCase()} a ${interval}`;
}
