// Mails about orders. Pure: an order in, words out.
import { itemOf } from "./fulfil.ts";
import type { OrderDoc } from "./store.ts";

export type OrderMail = { kind: string; subject: string; text: string };

export function fulfilledMail(order: OrderDoc, baseUrl: string): OrderMail {
  const { name } = itemOf(order);
  const isPaid = order.amount_cents > 0;
  return {
    kind: isPaid ? "order.receipt" : "order.free",
    subject: isPaid ? `Your receipt ${order.receipt_number ?? ""} from Atelier` : `${name} is yours`,
    text: `Thank you. This is yours now:

  ${name}
${
  isPaid
    ? `
  Price      ${money(order, order.amount_cents)}
  Tax        ${money(order, order.tax_cents)}
  Paid       ${money(order, order.amount_cents + order.tax_cents)}
  Receipt    ${order.receipt_number ?? ""}
`
    : ""
}
Your order${isPaid ? ", with a receipt to print" : ""}: ${address(order, baseUrl)}
`,
  };
}

export function refusedMail(order: OrderDoc, baseUrl: string): OrderMail {
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
export function extraPaymentMail(order: OrderDoc, reason: string, baseUrl: string): OrderMail {
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

export function refundedMail(order: OrderDoc, baseUrl: string): OrderMail {
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
`,
  };
}

export function disputedMail(order: OrderDoc, baseUrl: string): OrderMail {
  return {
    kind: "order.disputed",
    subject: `The payment for ${itemOf(order).name} is disputed`,
    text: `Your bank has told us that the payment for ${itemOf(order).name} is disputed. What you bought with it is on hold until that is settled.

If you did not mean to dispute it, please tell your bank.

Your order: ${address(order, baseUrl)}
`,
  };
}

function money({ currency }: OrderDoc, cents: number): string {
  return `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`;
}

function address({ _id }: OrderDoc, baseUrl: string): string {
  return `${baseUrl}/account/orders/${_id}`;
}
