// Mails about orders. This file is pure: an order in, text out.
import type { LocalTimes } from "../../../runtime/local-times.ts";
import { exactAmount } from "../../../runtime/money.ts";
import { dollars } from "../../../runtime/money.ts";
import type { MailWords } from "../../kernel/mail/queue.ts";
import { itemOf } from "./fulfil.ts";
import { paidPeriod } from "./rules.ts";
import type { OrderDoc } from "./store.ts";

type Row = readonly [label: string, value: string];
export function fulfilledMail(
  order: OrderDoc,
  { baseUrl, times }: { baseUrl: string; times: LocalTimes },
): MailWords {
  const { name } = itemOf(order);
  const isPaid = order.amount_cents > 0;
  return {
    kind: isPaid ? "order.receipt" : "order.free",
    subject: isPaid ? `Your receipt ${order.receipt_number ?? ""} from Atelier` : `${name} is yours`,
    text: `Thank you. This is yours now:

  ${name}
${isPaid ? `\n${receiptLines(order, times)}\n` : ""}${renewalWords(order, times)}
Your order: ${address(order, baseUrl)}
${isPaid ? `\nYour invoice, to print: ${address(order, baseUrl)}/invoice\n` : ""}`,
  };
}

/** The amounts in a column of their own, and below them the other facts. */
function receiptLines(order: OrderDoc, times: LocalTimes): string {
  const { items, reductions = [], amount_cents, tax_cents, receipt_number } = order;
  const period = paidPeriod(order);
  const price = items.reduce((sum, item) => sum + item.amount_cents, 0);
  const amounts: Row[] = [
    ["Price", exactAmount(order, price)],
    ...reductions.map(({ cents }): Row => ["Less", exactAmount(order, -cents)]),
    ["Tax", exactAmount(order, tax_cents)],
    ["Paid", exactAmount(order, amount_cents + tax_cents)],
  ];
  const width = Math.max(...amounts.map(([, amount]) => amount.length));
  const facts: Row[] = [
    ...(period ? [["Period", `${times.day(period.from)} to ${times.day(period.until)}`] as const] : []),
    ["Receipt", receipt_number ?? ""],
  ];
  const rightAligned = amounts.map(([label, amount]): Row => [label, amount.padStart(width)]);
  return [rightAligned, facts]
    .map((rows) => rows.map(([label, value]) => `  ${label.padEnd(9)}  ${value}`).join("\n"))
    .join("\n\n");
}

/** The next charge; empty for what is paid once. */
function renewalWords(order: OrderDoc, times: LocalTimes): string {
  const { interval, amount_cents } = itemOf(order);
  const period = paidPeriod(order);
  if (!interval || !period) return "";
  // The cost of a change differs from that of a period.
  const next = order.subscription?.about === "change" ? "" : ` for ${dollars(amount_cents)}`;
  return `\nIt renews on ${times.day(period.until)}${next}, and every ${interval} after that until you cancel.\n`;
}

export function refusedMail(order: OrderDoc, baseUrl: string): MailWords {
  return {
    kind: "order.given_back",
    subject: `We are returning your payment for ${itemOf(order).name}`,
    text: `Your payment arrived, but we could not give you what you ordered:

  ${order.reason ?? ""}

We are sending the whole payment back the way it came. There is nothing you need to do.

Your order: ${address(order, baseUrl)}
`,
  };
}

/** About a payment that was one too many, or came too late. */
export function extraPaymentMail(order: OrderDoc, reason: string, baseUrl: string): MailWords {
  return {
    kind: "order.payment_given_back",
    subject: `We are returning a payment for ${itemOf(order).name}`,
    text: `We received a payment that was not needed:

  ${reason}

We are sending it back the way it came. There is nothing you need to do.

Your order: ${address(order, baseUrl)}
`,
  };
}

export function refundedMail(order: OrderDoc, baseUrl: string): MailWords {
  const { name } = itemOf(order);
  if (order.amount_cents === 0)
    return {
      kind: "order.free_ended",
      subject: `${name} is no longer yours`,
      text: `We have taken back what you got for free:

  ${name}

  ${order.reason ?? ""}

Your order: ${address(order, baseUrl)}
`,
    };
  return {
    kind: "order.refunded",
    subject: `Your refund for ${name}`,
    text: `Your payment for ${name} is on its way back to you. What you bought with it has ended.

Your order: ${address(order, baseUrl)}

Your credit note, to print: ${address(order, baseUrl)}/invoice
`,
  };
}

export function disputedMail(order: OrderDoc, baseUrl: string): MailWords {
  return {
    kind: "order.disputed",
    subject: `The payment for ${itemOf(order).name} is disputed`,
    text: `Your bank has told us that the payment for ${itemOf(order).name} is disputed. What you bought with it is on hold until that is settled.

If you did not mean to dispute it, please tell your bank.

Your order: ${address(order, baseUrl)}
`,
  };
}

function address({ _id }: OrderDoc, baseUrl: string): string {
  return `${baseUrl}/account/orders/${_id}`;
}
