// /account/orders: what was bought, and one order with all that happened to it.
import { randomUUID } from "node:crypto";
import type { LibraryLicenceResource } from "../../../proto/resources/library.ts";
import { type OrderResource, REFUND_DAYS } from "../../../proto/resources/order.ts";
import type { SubscriptionResource } from "../../../proto/resources/subscription.ts";
import { amounts, facts, type Fact } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { linkButton } from "../design/button.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { emptyState, notice, type Tone } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { downloadPath } from "../layout/library-paths.ts";
import type { Person } from "../session/current-person.ts";
import { askPath } from "../support/support-paths.ts";
import { buyForm, type Wanted } from "./buy-form.ts";
import { orderSummary, periodFacts, reductionFacts, renewalFacts } from "./order-summary.ts";
import { isFree, price, priceOf, stateOf, stepOf, titleOf } from "./order-words.ts";
import { checkoutPath, invoicePath, ORDERS_PATH, orderPath } from "./shop-paths.ts";

const DAY_MS = 24 * 3_600_000;

export function ordersList(orders: readonly OrderResource[], nextCursor: string): Markup {
  if (orders.length === 0)
    return emptyState({
      title: "No orders yet",
      body: "Everything you buy or get for free is listed here, with its invoice.",
      action: linkButton({ href: "/products", label: "Browse products", kind: "quiet" }),
    });
  return html`${table({
    caption: "Orders, newest first",
    columns: ["Item", "Invoice", "Date", "Status", { label: "Amount", isNumber: true }],
    rows: orders.map((order) => [
      html`<div>
        <a href=${orderPath(order.order_id)}>${titleOf(order)}</a>
        ${order.paid_at !== null && order.terms !== null && html`<p class="note">until ${dateOf(order.terms.period_end)}</p>`}
      </div>`,
      order.receipt_number === null
        ? "–"
        : html`<a href=${invoicePath(order.order_id)}>${order.receipt_number}</a>`,
      timeOf(order.created_at),
      badge(stateOf(order)),
      price(order.amount_cents + order.tax_cents),
    ]),
  })}
  ${nextCursor !== "" && html`<p>${linkButton({ href: `${ORDERS_PATH}?cursor=${encodeURIComponent(nextCursor)}`, label: "Older orders", kind: "quiet" })}</p>`}`;
}

/** What an order has brought, while it is live. */
export type Brought = {
  readonly licence?: LibraryLicenceResource | undefined;
  readonly subscription?: SubscriptionResource | undefined;
};

export function orderView(
  person: Person,
  order: OrderResource,
  { now, ...brought }: Brought & { now: Date },
): Markup {
  const { licence, subscription } = brought;
  return html`<p><a href=${ORDERS_PATH}>All orders</a></p>
    ${newsOf(person, order, brought)}
    <p class="cluster">
      ${licence && linkButton({ href: downloadPath(licence), label: licence.files.length > 0 ? "Download" : "Open the library" })}
      ${order.receipt_number !== null && html`<a href=${invoicePath(order.order_id)}>Invoice ${order.receipt_number}</a>`}
      <a href=${askPath("order", order.number, `Order ${order.number}`)}>Help with this order</a>
      ${canAskBack(order, now) && html`<a href=${askPath("order", order.number, `Refund of order ${order.number}`)}>Request a refund</a>`}
    </p>
    <div class="order-parts">
      <section class="card stack" aria-labelledby="order-facts">
        <h2 class="aside-from-sight" id="order-facts">Details</h2>
        ${orderSummary(order, order.amount_cents + order.tax_cents)} ${reduced(order)}
        ${facts(factsOf(order, subscription))}
      </section>
      <section class="stack" aria-labelledby="order-events">
        <h2 id="order-events">Timeline</h2>
        ${timeline(order)}
      </section>
    </div>`;
}

/** With a column of notes only where there is one. */
function timeline(order: OrderResource): Markup {
  const hasNotes = order.events.some(({ note }) => note);
  return table({
    caption: "Oldest first",
    columns: ["Event", "When", ...(hasNotes ? ["Note"] : [])],
    rows: order.events.map(({ type, at, note }) => [
      stepOf(order, type),
      timeOf(at),
      ...(hasNotes ? [note ?? ""] : []),
    ]),
  });
}

/** Support decides about it; a free order has nothing to pay back. */
function canAskBack(order: OrderResource, now: Date): boolean {
  if (order.state !== "fulfilled" || isFree(order) || order.paid_at === null) return false;
  return now.getTime() < Date.parse(order.paid_at) + REFUND_DAYS * DAY_MS;
}

/** What came off the price, where something did. */
function reduced(order: OrderResource): Markup | false {
  return (
    order.reductions.length > 0 &&
    amounts([...reductionFacts(order), ["Your price", price(order.amount_cents)]])
  );
}

function factsOf(order: OrderResource, subscription?: SubscriptionResource): (Fact | false)[] {
  const { number, created_at, paid_at } = order;
  return [
    ["Status", badge(stateOf(order))],
    ...(paid_at === null ? renewalFacts(order, order.amount_cents) : periodFacts(order, subscription)),
    ["Placed", timeOf(created_at)],
    paid_at !== null && !isFree(order) && ["Paid", timeOf(paid_at)],
    ["Order number", html`<code>${number}</code>`],
  ];
}

/** Where what was bought is found. */
const WHERE: Readonly<Record<OrderResource["kind"], Markup>> = {
  product: html`You’ll find it, with its files, in <a href="/library">your library</a>.`,
  credits: html`The credits are on <a href="/credits">your balance</a>.`,
  plan: html`See it, change it or cancel it under <a href="/account/plan">your plan</a>.`,
  membership: html`See it or cancel it under <a href="/account/membership">your membership</a>.`,
};

/** What it means for the person, and what there is to do. */
function newsOf(person: Person, order: OrderResource, brought: Brought): Markup | false {
  const reason = order.reason ?? "";
  switch (order.state) {
    case "placed":
      return notice({
        tone: "warning",
        title: "Not paid yet",
        body: html`We’ll hold it for you until ${timeOf(order.expires_at)}.${" "}
        ${linkButton({ href: checkoutPath(order.order_id), label: "Pay now" })}`,
      });
    case "fulfilled":
      return notice({ ...standingOf(order, brought), body: WHERE[order.kind] });
    case "failed":
    case "expired":
    case "cancelled":
      return notice({
        tone: "danger",
        title: reason,
        body: html`Nothing was charged. ${tryAgain(person, order)}`,
      });
    case "refunded":
      return notice({
        tone: "info",
        title: isFree(order) ? "We have taken this back" : "Your money is on its way back",
        body: reason,
      });
    case "disputed":
      return notice({ tone: "danger", title: "The payment is disputed", body: reason });
    default:
      return false;
  }
}

/** Whether the person still has what was delivered. */
function standingOf(
  { kind, terms }: OrderResource,
  { licence, subscription }: Brought,
): { tone: Tone; title: Children } {
  const isOver = terms ? subscription?.period_end !== terms.period_end : kind === "product" && !licence;
  if (isOver)
    return { tone: "info", title: terms ? "The time this paid for is over" : "Your licence has ended" };
  if (subscription?.state === "past_due") return { tone: "warning", title: "The next payment is missing" };
  if (subscription?.state === "cancelling")
    return { tone: "info", title: html`It’s yours until ${dateOf(subscription.period_end)}` };
  return { tone: "success", title: "It’s yours" };
}

/** A new order for the same; its price is looked at again. */
function tryAgain(person: Person, { items, amount_cents: cents }: OrderResource): Markup | false {
  const wanted = wantedAgain(items[0]);
  const label = cents === 0 ? "Try again" : `Try again for ${priceOf({ items }, cents)}`;
  return wanted && buyForm(person, { wanted, cents, key: randomUUID(), label });
}

function wantedAgain(item: OrderResource["items"][number] | undefined): Wanted | false {
  if (!item) return false;
  if (item.pack !== null) return { pack: item.pack };
  if (item.plan !== null) return { plan: item.plan };
  if (item.tier !== null) return { tier: item.tier, interval: item.interval ?? "month" };
  return item.product_slug !== null && { product: item.product_slug, licence: item.licence ?? "standard" };
}
