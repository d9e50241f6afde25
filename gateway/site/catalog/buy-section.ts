// What a product costs and how it is had: a form for who is signed in, the way there for everybody else, or why it cannot be bought.
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import type { LicenceKind } from "../../../proto/resources/membership.ts";
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { linkButton } from "../design/button.ts";
import { label, money } from "../design/format.ts";
import { notice } from "../design/notice.ts";
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

/** Opening this page never buys anything: each purchase takes a press by the person. */
export function buySection(product: CatalogProductResource, buyer: Buyer): Markup {
  const { status, plus_only: isForMembers, demo_url: demo, effective_price: now } = product;
  const isOnSale = status !== "coming_soon" && now !== null;
  return html`<section class="card stack buy" id="buy" aria-labelledby="buy-title">
    <h2 class="aside-from-sight" id="buy-title">Buy</h2>
    ${isOnSale ? licences(product, buyer) : html`<p>${price(product)}</p>`}
    ${isForMembers && html`<p>This one is for members: buying it takes an active membership. <a href="/account/membership">See memberships</a></p>`}
    ${
      !isOnSale &&
      notice({
        tone: "info",
        title: "Coming soon",
        body: "You can look around, but not buy it yet.",
        isNews: false,
      })
    }
    ${demo !== null && html`<p>${linkButton({ href: demo, label: "View the demo", kind: "quiet", isElsewhere: true })}</p>`}
  </section>`;
}

function licences(product: CatalogProductResource, buyer: Buyer): Markup {
  const { effective_price: now, client_price_usd: forClients } = product;
  const isPaid = (now ?? 0) > 0 || (forClients ?? 0) > 0;
  return html`${offer("standard", price(product), now !== null && choice(product, buyer, { kind: "standard", usd: now }))}
  ${
    forClients !== null &&
    offer(
      "client",
      html`<span class="price">${money(forClients)}</span>`,
      choice(product, buyer, { kind: "client", usd: forClients }),
    )
  }
  ${!buyer.person && signIn(product, buyer, isPaid)} ${isPaid && !buyer.takesPayments && closed()}`;
}

/** What it costs, what it is for in a sentence, and all that it allows. */
function offer(kind: LicenceKind, cost: Markup, action: Markup | false): Markup {
  const { summary, paragraphs } = currentTerms(kind);
  return html`<div class="licence-offer">
    <h3>${label(kind)} licence ${cost}</h3>
    <p class="note">${summary}</p>
    <details>
      <summary>What it allows<span class="aside-from-sight">: ${kind} licence</span></summary>
      <ul>
        ${paragraphs.map((paragraph) => html`<li>${paragraph}</li>`)}
        <li>
          <a href=${termsPath(kind)}
            >Read the terms<span class="aside-from-sight"> of the ${kind} licence</span></a
          >
        </li>
      </ul>
    </details>
    ${action}
  </div>`;
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
    label: usd === 0 ? "Get it for free" : kind === "standard" ? "Buy" : "Buy for a client",
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
  return linkButton({ href, label: now === 0 ? "Sign in to get it for free" : "Sign in to buy" });
}

function closed(): Markup {
  return notice({
    tone: "info",
    title: "Not for sale here yet",
    body: "This site takes no payments. You can still get free products.",
    isNews: false,
  });
}
