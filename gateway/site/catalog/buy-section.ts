// What a product costs and how it is had: a form for who is signed in, the way there for everybody else, or why it cannot be bought.
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import type { LicenceKind } from "../../../proto/resources/membership.ts";
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { linkButton } from "../design/button.ts";
import { money } from "../design/format.ts";
import { notice } from "../design/notice.ts";
import { termsLine } from "../design/terms.ts";
import { html, type Markup } from "../design/markup.js";
import { termsPath } from "../library/library-paths.ts";
import type { Person } from "../session/current-person.ts";
import { buyForm } from "../shop/buy-form.ts";
import { productPath } from "./address.ts";
import { price } from "./product-card.ts";

export type Buyer = {
  /** Who is signed in; pages for everybody have nobody. */
  person: Person | undefined;
  /** Whether this installation takes payments. */
  takesPayments: boolean;
};

const CENTS = 100;

/** Nothing on this page buys by being opened: each purchase is a press of the person's. */
export function buySection(product: CatalogProductResource, buyer: Buyer): Markup {
  const { status, plus_only: isForMembers, demo_url: demo, effective_price: now } = product;
  const isOnSale = status !== "coming_soon" && now !== null;
  return html`<section class="card stack buy" id="buy" aria-labelledby="buy-title">
    <h2 class="aside-from-sight" id="buy-title">Buy</h2>
    ${isOnSale ? licences(product, buyer) : html`<p>${price(product)}</p>`}
    ${isForMembers && html`<p>For members: buying it takes an active membership. <a href="/account/membership">Your membership</a></p>`}
    ${
      !isOnSale &&
      notice({
        tone: "info",
        title: "Coming soon",
        body: "It can be looked at, and not be bought yet.",
        isNews: false,
      })
    }
    ${demo !== null && html`<p>${linkButton({ href: demo, label: "See the demo", kind: "quiet", isElsewhere: true })}</p>`}
  </section>`;
}

function licences(product: CatalogProductResource, buyer: Buyer): Markup {
  const { effective_price: now, client_price_usd: forClients } = product;
  const isPaid = (now ?? 0) > 0 || (forClients ?? 0) > 0;
  return html`<dl class="licences">
      <div>
        <dt>Standard licence</dt>
        <dd>${price(product)}</dd>
      </div>
      ${
        forClients !== null &&
        html`<div>
          <dt>Client licence</dt>
          <dd><span class="price">${money(forClients)}</span></dd>
        </div>`
      }
    </dl>
    ${termsLine(currentTerms("standard"), termsPath("standard"), "standard")}
    ${forClients !== null && termsLine(currentTerms("client"), termsPath("client"), "client")}
    <div class="cluster">
      ${now !== null && choice(product, buyer, { kind: "standard", usd: now })}
      ${forClients !== null && choice(product, buyer, { kind: "client", usd: forClients })}
      ${!buyer.person && signIn(product, buyer, isPaid)}
    </div>
    ${isPaid && !buyer.takesPayments && closed()}`;
}

function choice(
  { slug, name }: CatalogProductResource,
  { person, takesPayments }: Buyer,
  { kind, usd }: { kind: LicenceKind; usd: number },
): Markup | false {
  if (!person || (usd > 0 && !takesPayments)) return false;
  return buyForm(person, {
    wanted: { product: slug, licence: kind },
    cents: Math.round(usd * CENTS),
    label: usd === 0 ? "Take it for free" : kind === "standard" ? "Buy" : "Buy for a client",
    of: `${name}, ${kind} licence`,
    kind: kind === "standard" ? "primary" : "quiet",
  });
}

function signIn(
  { slug, effective_price: now }: CatalogProductResource,
  { takesPayments }: Buyer,
  isPaid: boolean,
) {
  if (isPaid && !takesPayments && now !== 0) return false;
  const href = `/sign-in?next=${encodeURIComponent(productPath(slug))}`;
  return linkButton({ href, label: now === 0 ? "Sign in to take it for free" : "Sign in to buy" });
}

function closed(): Markup {
  return notice({
    tone: "info",
    title: "What costs money cannot be bought here",
    body: "This installation takes no payments. What is free can be had all the same.",
    isNews: false,
  });
}
