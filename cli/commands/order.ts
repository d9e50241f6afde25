// atelier order list | show | refund
import { type Command, Option } from "commander";
import { ORDER_STATES } from "../../proto/resources/order.ts";
import type { Order } from "../../proto/types/atelier/v1/Order.ts";
import { type Columns, counted, listing, table } from "../layout.ts";
import type { Cli } from "../session.ts";

const MOST = 1_000;
const PAGE = 100;

export function addOrderCommands(program: Command, cli: Cli): void {
  const order = program
    .command("order")
    .description("show orders, and refund payments (needs --reason to change)");

  order
    .command("list [account]")
    .description(`list orders of one account or of all, newest first, at most ${MOST}`)
    .addOption(new Option("--state <state>", "only orders in this state").choices(ORDER_STATES))
    .action(async (account = "", { state = "" }: { state?: string }) => {
      const orders = await cli.withCore(async (core) => {
        const all: Order[] = [];
        let cursor = "";
        do {
          const page = await core.admin.ListAnyOrders({ account, state, limit: PAGE, cursor });
          all.push(...page.orders);
          cursor = page.next_cursor;
        } while (cursor && all.length < MOST);
        return all;
      });
      cli.show(orders, listing(orders, COLUMNS, { nothing: counted(0, "order") }));
    });

  order
    .command("show <order_id>")
    .description("show an order with its history")
    .action((id: string) => cli.report((core) => core.admin.GetAnyOrder({ order_id: id }), describe));

  order
    .command("refund <order_id>")
    .description("refund the payment and revoke the purchase; a second refund is refused")
    .option("--note <text>", "reason shown to the buyer", "")
    .action((id: string, { note }: { note: string }) =>
      cli.report(
        (core) => core.admin.RefundOrder({ order_id: id, note }),
        (refunded) => `${describe(refunded)}\nA worker gives the payment back at the provider.`,
      ),
    );
}

const COLUMNS: Columns<Order> = {
  ORDER: "order_id",
  ACCOUNT: "account_id",
  STATE: "state",
  AMOUNT: money,
  WHAT: ({ items }) => items.map(({ name }) => name).join(", "),
  RECEIPT: ({ receipt_number = "-" }) => receipt_number,
  PLACED: "created_at",
};

function describe(order: Order): string {
  const { order_id, number, account_id, state, items, reason, receipt_number } = order;
  const { provider, provider_ref, payment_ref } = order;
  return [
    `${order_id} (number ${number}) of ${account_id}: ${state}${reason ? `. ${reason}` : ""}`,
    ...items.map(({ name }) => `  ${name}`),
    `  ${money(order)}${receipt_number ? `, receipt ${receipt_number}` : ""}`,
    ...(provider ? [`  ${provider}: checkout ${provider_ref || "-"}, payment ${payment_ref || "-"}`] : []),
    table(order.events.map(({ seq, at, type, note }) => [String(seq), at, type, note ?? ""])),
  ].join("\n");
}

function money({ amount_cents, tax_cents, currency }: Order): string {
  return `${((amount_cents + tax_cents) / 100).toFixed(2)} ${currency.toUpperCase()}`;
}
