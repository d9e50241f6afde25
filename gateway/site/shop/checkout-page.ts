// The pages between choosing and having: what is ordered and what it costs, waiting for the payment, and a price that has changed.
import type { OrderResource } from "../../../proto/resources/order.ts";
import { actionForm, amounts, csrfField, facts } from "../account/account-frame.ts";
import { button, linkButton } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { notice, standingNotice } from "../design/notice.ts";
import { timeOf } from "../design/time.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { buyForm, type Wanted } from "./buy-form.ts";
import { orderSummary, reductionFacts, renewalFacts } from "./order-summary.ts";
import { payLabel, price } from "./order-words.ts";
import { checkoutPath, orderPath } from "./shop-paths.ts";

/** Longer than any. */
const MAX_CODE = 100;
const STYLES = ["account.css", "shop.css"];

export type CheckoutView = {
  person: Person;
  order: OrderResource;
  /** What it costs now, where that is not `seenCents`, which the buyer has seen. */
  newCents?: number;
  seenCents?: number;
  /** A discount code that was refused, and why. */
  refusedCode?: { code: string; why: string };
  isTest: boolean;
};

export function checkoutPage(view: CheckoutView): Page {
  const { person, order, newCents, seenCents = order.amount_cents, isTest } = view;
  const cents = newCents ?? order.amount_cents;
  const path = checkoutPath(order.order_id);
  // Those of the order explain its own price only.
  const reductions = cents === order.amount_cents ? reductionFacts(order) : [];
  return {
    title: "Checkout",
    person,
    path,
    styles: STYLES,
    body: html`<section class="checkout stack stack--loose">
      <h1>Checkout</h1>
      ${newCents !== undefined && changedNotice(seenCents, newCents)}
      <div class="card stack">
        ${orderSummary(order, cents)}
        ${amounts([...reductions, ["Due today", html`<strong>${price(cents)}</strong>`]])}
        ${order.terms !== null && facts(renewalFacts(order, cents))}
        ${order.kind === "product" && codeForm(view, path)}
        ${actionForm(person, { action: `${path}/pay`, label: payLabel(order, cents), kind: "primary", values: { expected_cents: cents } })}
        <p class="note">
          Any taxes are shown before you pay. We’ll email you the receipt.
          ${order.terms !== null && html` You can cancel on <a href=${`/account/${order.kind}`}>your ${order.kind} page</a> at any time, and keep what is paid until the period ends.`}
        </p>
      </div>
      ${isTest && testNotice()}
      <div class="cluster cluster--apart">
        <p class="note">
          Order <a href=${orderPath(order.order_id)}><code>${order.number}</code></a
          >, held for you until ${timeOf(order.expires_at)}
        </p>
        ${actionForm(person, { action: `${path}/cancel`, label: "Cancel the order" })}
      </div>
    </section>`,
  };
}

/** A code that the order has can be removed; otherwise one can be entered. */
function codeForm({ person, order, refusedCode }: CheckoutView, path: string): Markup {
  const code = order.reductions.find(({ kind }) => kind === "code")?.code;
  return html`<form class="code" method="post" action=${`${path}/code`}>
    ${csrfField(person)}
    ${
      code
        ? html`${refusedCode && html`<p class="field__error" role="alert">${refusedCode.why} ${code} still applies.</p>`}
          ${button({ label: "Remove the code", of: code, kind: "quiet" })}`
        : html`${textField({ name: "code", label: "Discount code", value: refusedCode?.code, error: refusedCode?.why, autocomplete: "off", maxLength: MAX_CODE })}
          ${button({ label: "Apply", of: "the discount code", kind: "quiet" })}`
    }
  </form>`;
}

function testNotice(): Markup {
  return standingNotice({
    tone: "info",
    title: "No real money is taken here",
    body: "Paying takes you to a page that pretends to be a payment provider. Nothing is charged.",
  });
}

export function changedNotice(before: number, now: number): Markup {
  return notice({
    tone: "warning",
    title: "The price has changed",
    body: `It was ${price(before)} and is ${price(now)} now. Nothing was charged; continue only if you’re happy with it.`,
  });
}

/** The price changed between looking and pressing, before there was an order. */
export function priceChangedPage(
  person: Person,
  { wanted, cents, seenCents, key }: { wanted: Wanted; cents: number; seenCents: number; key: string },
): Page {
  return {
    title: "The price has changed",
    person,
    path: "/checkout",
    styles: STYLES,
    status: 409,
    body: html`<section class="checkout stack stack--loose">
      <h1>The price has changed</h1>
      ${changedNotice(seenCents, cents)}
      <div class="cluster">
        ${buyForm(person, { wanted, cents, key, label: cents === 0 ? "Get it for free" : `Order for ${price(cents)}` })}
        ${linkButton({ href: "product" in wanted ? `/products/${wanted.product}` : "/credits/buy", label: "Back", kind: "quiet" })}
      </div>
    </section>`,
  };
}

/** After paying: only the provider's word counts, and it may take a moment. */
export function waitingPage(person: Person, order: OrderResource, isRefreshing: boolean): Page {
  return {
    title: "Waiting for the payment",
    person,
    path: checkoutPath(order.order_id),
    styles: STYLES,
    body: html`<section class="checkout stack stack--loose">
      <h1>Waiting for the payment</h1>
      <div class="card">${orderSummary(order, order.amount_cents)}</div>
      ${notice({
        tone: "info",
        title: "We’re waiting to hear from the payment provider",
        body: isRefreshing
          ? "This page checks automatically every few seconds. You can close it: your order continues, and the receipt comes by email."
          : "This can take a while. You can close this page: your order continues, and the receipt comes by email.",
      })}
      <div class="cluster">
        ${linkButton({ href: orderPath(order.order_id), label: "View order" })}
        ${linkButton({ href: checkoutPath(order.order_id), label: "Back to checkout", kind: "quiet" })}
      </div>
    </section>`,
  };
}

/** Leads on to the payment provider by a link: the content security policy lets no form lead to another site. */
export function leavingPage(person: Person, order: OrderResource, url: string): Page {
  return {
    title: "On to payment",
    person,
    path: checkoutPath(order.order_id),
    styles: STYLES,
    body: html`<section class="checkout stack stack--loose">
      <h1>On to payment</h1>
      <div class="card">${orderSummary(order, order.amount_cents)}</div>
      <p>You’ll pay on our payment provider’s page, then come back here.</p>
      <p>${linkButton({ href: url, label: payLabel(order, order.amount_cents), isElsewhere: true })}</p>
    </section>`,
  };
}
