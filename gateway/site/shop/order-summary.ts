// What an order is about: picture, name and price, and of what is paid by the period when it is charged again.
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { LICENCE_KINDS } from "../../../proto/resources/membership.ts";
import type { OrderResource } from "../../../proto/resources/order.ts";
import type { SubscriptionResource } from "../../../proto/resources/subscription.ts";
import type { Fact } from "../account/account-frame.ts";
import { count, label } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { html, type Markup } from "../design/markup.js";
import { dateOf } from "../design/time.ts";
import { coverPath } from "../layout/product-paths.ts";
import { price, priceOf, reductionLabel, titleOf } from "./order-words.ts";
import { nextFact } from "./subscription-view.ts";

type Summed = Pick<OrderResource, "items" | "terms">;

/** `cents` is the whole price, before tax. */
export function orderSummary(order: Summed, cents: number): Markup {
  const [item] = order.items;
  const slug = item?.product_slug ?? null;
  const kind = LICENCE_KINDS.find((known) => known === item?.licence);
  // The name of a licence's item ends with its licence.
  const name = kind ? titleOf(order).replace(/, \w+ licence$/, "") : titleOf(order);
  return html`<div class="bought">
    ${
      slug === null
        ? html`<span class="bought__picture">${icon("credits")}</span>`
        : html`<img class="bought__picture" src=${coverPath(slug)} alt="" width="800" height="600" />`
    }
    <div class="bought__words">
      <p class="bought__name">${name}</p>
      ${kind && html`<p class="note">${label(kind)} licence: ${currentTerms(kind).summary}</p>`}
    </div>
    <p class="bought__price">${order.terms?.about === "change" ? price(cents) : priceOf(order, cents)}</p>
  </div>`;
}

/** The regular price, and each thing that came off it; nothing where nothing did. */
export function reductionFacts({ items, reductions }: Pick<OrderResource, "items" | "reductions">): Fact[] {
  if (reductions.length === 0) return [];
  const regular = items.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return [
    ["Regular price", price(regular)],
    ...reductions.map((one): Fact => [reductionLabel(one), `−${price(one.cents)}`]),
  ];
}

/** Of what is paid by the period: from when to when, and while `live` has no later period, what comes after. */
export function periodFacts({ terms }: Summed, live?: SubscriptionResource): Fact[] {
  if (!terms) return [];
  const { period_start, period_end } = terms;
  return [
    ["Period", html`${dateOf(period_start)} to ${dateOf(period_end)}`],
    ...(live?.period_end === period_end ? [nextFact(live)] : []),
  ];
}

/** What is charged later, and what it brings; nothing of what is paid once. */
export function renewalFacts(order: Summed, cents: number): (Fact | false)[] {
  const { terms } = order;
  if (!terms) return [];
  const { credits_now: now, credits_a_month: monthly } = terms;
  return [
    [
      "Renews",
      html`on ${dateOf(terms.period_end)} for ${price(cents)}, then every ${order.items[0]?.interval ?? ""},
      until you cancel`,
    ],
    monthly !== null && now !== null && ["Credits", creditWords(now, monthly)],
  ];
}

/** A month that runs already is made up to the plan's credits. */
function creditWords(now: number, monthly: number): string {
  return now === monthly
    ? `${count(monthly)} a month, the first right away`
    : `${count(monthly)} a month; ${count(now)} of them now, because you already had ${count(monthly - now)} for this month`;
}
