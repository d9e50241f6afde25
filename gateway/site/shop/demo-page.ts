// /payments/demo/{ref}: plays a payment provider's page, where the demo provider is set up. It is not part of the shop: it only tells the provider which button was pressed.
import { z } from "zod";
import type { DemoCheckout } from "../../../proto/types/atelier/v1/DemoCheckout.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { csrfField, facts } from "../account/account-frame.ts";
import { button, linkButton } from "../design/button.ts";
import { select } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { renderPage } from "../layout/render-page.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { price } from "./order-words.ts";
import { checkoutPath, DEMO_PATH, demoPath } from "./shop-paths.ts";

const params = z.object({ ref: z.string().max(64) });
const DELIVERIES = [
  { value: "once", label: "once, immediately" },
  { value: "twice", label: "twice" },
  { value: "late", label: "late, after 20 seconds" },
  { value: "never", label: "never: the shop has to ask" },
];

export function demoPaymentPages(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(`${DEMO_PATH}/:ref`, { schema: { params } }, async (request, reply) => {
    const checkout = await core.orders.GetDemoCheckout(request.params, personCall(request));
    const { person } = request;
    return renderPage(reply, {
      title: "Demo payment",
      person,
      path: demoPath(checkout.ref),
      styles: ["account.css", "shop.css"],
      body: html`<section class="checkout stack stack--loose">
        <h1>Demo payment</h1>
        <p class="lead">This page plays a payment provider. Nothing is charged, whatever you press.</p>
        <div class="card stack">
          ${facts([
            ["For", checkout.items.join(", ")],
            ["Amount", html`<strong>${amountOf(checkout)}</strong>`],
          ])}
        </div>
        ${checkout.state === "open" ? choices(person, checkout) : ended(checkout)}
        <p>
          ${linkButton({ href: checkoutPath(checkout.order_id), label: "Close without paying", kind: "quiet" })}
        </p>
      </section>`,
    });
  });

  app.post(`${DEMO_PATH}/:ref`, { schema: { params } }, async (request, reply) => {
    const form = formOf(request);
    const { order_id } = await core.orders.PressDemoCheckout(
      { ...request.params, action: form.get("action"), delivery: form.get("delivery") },
      personCall(request),
    );
    return reply.redirect(`${checkoutPath(order_id)}/return`, 303);
  });
}

function amountOf({ amount_cents, every }: DemoCheckout): string {
  const amount = price(amount_cents);
  return every === "once" ? amount : `${amount} now, and every ${every} until you cancel`;
}

function choices(person: Person, { ref, every, amount_cents }: DemoCheckout): Markup {
  return html`<form class="stack" method="post" action=${demoPath(ref)}>
    ${csrfField(person)}
    ${select({ name: "delivery", label: "Tell the shop", options: DELIVERIES, value: "once" })}
    <div class="cluster">
      ${button({ label: `Pay ${price(amount_cents)}`, name: "action", value: "pay" })}
      ${every !== "once" && button({ label: "Pay, and decline renewals", name: "action", value: "pay_once", kind: "quiet" })}
      ${button({ label: "Decline", name: "action", value: "decline", kind: "danger" })}
    </div>
  </form>`;
}

function ended({ state }: DemoCheckout): Markup {
  return notice({ tone: "info", title: `This checkout is ${state}`, body: "It cannot be paid any more." });
}
