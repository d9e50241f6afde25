// /account/orders/{id}/invoice: the invoice of a paid order and, once it is refunded, its credit note, made to be printed.
import type { OrderResource } from "../../../proto/resources/order.ts";
import { exactAmount } from "../../../runtime/money.ts";
import { amounts, type Fact, facts } from "../account/account-frame.ts";
import { html, type Markup } from "../design/markup.js";
import { dateOf } from "../design/time.ts";
import type { Person } from "../session/current-person.ts";
import { periodFacts } from "./order-summary.ts";
import { reductionLabel } from "./order-words.ts";
import { orderPath } from "./shop-paths.ts";

/** The credit note takes back the whole invoice, so it is numbered after it. */
function creditNoteNumber(invoiceNumber: string): string {
  return `${invoiceNumber}-C`;
}

export function invoiceView(person: Person, order: OrderResource): Markup {
  const { receipt_number, paid_at, created_at, amount_cents, tax_cents, items, events } = order;
  const number = receipt_number ?? "";
  const total = amount_cents + tax_cents;
  const refund = events.findLast(({ type }) => type === "refunded" || type === "dispute_lost");
  return html`<p><a href=${orderPath(order.order_id)}>The order</a></p>
    ${
      order.state === "refunded" &&
      paper(person, order, {
        id: "credit-note",
        title: `Credit note ${creditNoteNumber(number)}`,
        about: [
          ["Date", dateOf(refund?.at ?? created_at)],
          ["Takes back", `Invoice ${number}`],
        ],
        lines: [
          ["Net", exactAmount(order, -amount_cents)],
          ["Tax", exactAmount(order, -tax_cents)],
          ["Refunded", html`<strong>${exactAmount(order, -total)}</strong>`],
        ],
      })
    }
    ${paper(person, order, {
      id: "invoice",
      title: `Invoice ${number}`,
      about: [
        ["Date", dateOf(paid_at ?? created_at)],
        ["Order number", html`<code>${order.number}</code>`],
        ...periodFacts(order),
      ],
      lines: [
        ...items.map((item): Fact => [item.name, exactAmount(order, item.amount_cents)]),
        ...order.reductions.map((one): Fact => [reductionLabel(one), exactAmount(order, -one.cents)]),
        ["Net", exactAmount(order, amount_cents)],
        ["Tax", exactAmount(order, tax_cents)],
        ["Paid", html`<strong>${exactAmount(order, total)}</strong>`],
      ],
    })}
    <p class="note">
      Print this page to get the invoice alone.
      ${order.invoice?.name === "" && html` To have a company and tax id on it, <a href="/account#billing">add your invoice details</a>.`}
    </p>`;
}

type Paper = { id: string; title: string; about: readonly Fact[]; lines: readonly Fact[] };

function paper(
  { name, email }: Person,
  { invoice }: OrderResource,
  { id, title, about, lines }: Paper,
): Markup {
  const buyer = invoice?.name
    ? [invoice.name, invoice.address, ...(invoice.tax_id === "" ? [] : [`Tax id ${invoice.tax_id}`])]
    : [name, email];
  const filled = (lines: readonly string[]) => lines.filter((line) => line !== "").join("\n");
  return html`<section class="card stack invoice" aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    <div class="invoice__sides">
      <div>
        <h3>From</h3>
        <p>${invoice?.seller ?? ""}</p>
      </div>
      <div>
        <h3>To</h3>
        <p>${filled(buyer)}</p>
      </div>
    </div>
    ${facts(about)} ${amounts(lines)}
  </section>`;
}
