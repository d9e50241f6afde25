// /credits/buy: the credit packs.
import { fromMessages } from "../../../proto/codec.ts";
import { creditPackSchema } from "../../../proto/resources/order.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { credits, money } from "../design/format.ts";
import { html } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { renderPage } from "../layout/render-page.ts";
import { buyForm } from "./buy-form.ts";
import { PACKS_PATH } from "./shop-paths.ts";

const CENTS = 100;

export function packsPage(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(PACKS_PATH, async (request, reply) => {
    const { person } = request;
    const [shop, sold] = await Promise.all([core.orders.DescribeShop({}), core.orders.ListPacks({})]);
    const packs = fromMessages(creditPackSchema, sold.packs);
    const body = html`<section class="stack stack--loose">
      <h1>Buy credits</h1>
      <p class="lead">Credits you buy never expire. Any that do expire are spent first.</p>
      ${
        shop.payments === ""
          ? standingNotice({
              tone: "info",
              title: "Credits are not sold here",
              body: "This site takes no payments. The credits your plan includes are added automatically.",
            })
          : html`<ul class="plans">
              ${packs.map(
                ({ pack, credits: amount, price_cents }) =>
                  html`<li class="card stack">
                    <h2>${credits(amount)}</h2>
                    <p class="plans__price">${money(price_cents / CENTS)}</p>
                    <p class="note">${creditPrice(price_cents / amount)} a credit</p>
                    ${buyForm(person, { wanted: { pack }, cents: price_cents, label: `Buy for ${money(price_cents / CENTS)}`, of: credits(amount) })}
                  </li>`,
              )}
            </ul>`
      }
      <p><a href="/credits">Your credits</a></p>
    </section>`;
    return renderPage(reply, {
      title: "Buy credits",
      person,
      path: PACKS_PATH,
      styles: ["account.css"],
      body,
    });
  });
}

/** 1¢, 0.91¢ */
function creditPrice(cents: number): string {
  return `${Number(cents.toFixed(2))}¢`;
}
