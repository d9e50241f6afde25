// What a product costs and how it is bought: what the signed-in person has of it, a form for each licence at their price, the way there for
// everyone else, or why it cannot be bought.
import type { LibraryLicenceResource } from "../../../proto/resources/library.ts";
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { LICENCE_KINDS, type LicenceKind } from "../../../proto/resources/membership.ts";
import { orderNumber } from "../../../proto/resources/order.ts";
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import type { LicenceQuote } from "../../../proto/types/atelier/v1/LicenceQuote.ts";
import { actionForm } from "../account/account-frame.ts";
import { linkButton } from "../design/button.ts";
import { label, money } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { dateOf } from "../design/time.ts";
import { downloadPath, termsPath } from "../layout/library-paths.ts";
import { productPath } from "../layout/product-paths.ts";
import type { Person } from "../session/current-person.ts";
import { buyForm } from "../shop/buy-form.ts";
import { reductionWords } from "../shop/order-words.ts";
import { orderPath } from "../shop/shop-paths.ts";
import { askPath } from "../support/support-paths.ts";
import { isOnSale, type OwnerView } from "./ask-catalog.ts";
import { price } from "./product-card.ts";

export type Buyer = {
  /** Who is signed in; pages for everyone have no owner. */
  owner?: OwnerView & { person: Person };
  /** Whether this installation takes payments. */
  takesPayments: boolean;
  /** The membership that a members-only product needs; undefined of all other products, and where none is sold. */
  membersTier: string | undefined;
};

const CENTS = 100;
const MEMBERSHIP_PATH = "/account/membership";

/** Opening this page never buys anything: each purchase takes a press by the person. */
export function buySection(product: CatalogProductResource, buyer: Buyer): Markup {
  const { plus_only: isForMembers, demo_url: demo } = product;
  const { owner } = buyer;
  return html`<section class="card stack buy" id="buy" aria-labelledby="buy-title">
    <h2 class="aside-from-sight" id="buy-title">Buy</h2>
    ${owner && owner.owned.length > 0 && ownedPart(owner.owned)}
    ${isOnSale(product) ? licences(product, buyer) : html`<p>${price(product)}</p>`}
    ${isForMembers && !owner && html`<p class="note">For members only. <a href=${MEMBERSHIP_PATH}>See memberships</a></p>`}
    ${
      !isOnSale(product) &&
      html`${standingNotice({
        tone: "info",
        title: "Coming soon",
        body: "You can look around, but not buy it yet.",
      })}
      ${alertPart(product, owner)}`
    }
    ${demo !== null && html`<p>${linkButton({ href: demo, label: "View the demo", kind: "quiet", isElsewhere: true })}</p>`}
  </section>`;
}

/** A mail about a product to come: asked for, or withdrawn. */
function alertPart({ slug }: CatalogProductResource, owner: Buyer["owner"]): Markup {
  const path = productPath(slug);
  if (!owner)
    return linkButton({
      href: `/sign-in?next=${encodeURIComponent(path)}`,
      label: "Sign in to be notified",
      kind: "quiet",
    });
  const { person, isAlertWanted } = owner;
  if (!isAlertWanted) return actionForm(person, { action: `${path}/alert`, label: "Notify me" });
  return html`<p>You will get one mail, once it is on sale.</p>
    ${actionForm(person, { action: `${path}/alert/end`, label: "Do not notify me" })}`;
}

function licences(product: CatalogProductResource, buyer: Buyer): Markup {
  const { effective_price: now, client_price_usd: forClients } = product;
  const prices: Readonly<Record<LicenceKind, number | null>> = { standard: now, client: forClients };
  const isPaid = (now ?? 0) > 0 || (forClients ?? 0) > 0;
  return html`${LICENCE_KINDS.map((kind) => {
    const usd = prices[kind];
    if (usd === null) return undefined;
    const quote = buyer.owner?.quotes.find(({ licence }) => licence === kind);
    const regular = kind === "standard" ? price(product) : html`<span class="price">${money(usd)}</span>`;
    const isOwn = quote !== undefined && quote.cents < quote.list_cents;
    const cost = isOwn ? ownPrice(quote) : regular;
    const why = isOwn && html`<p class="note">${whyLower(quote)}</p>`;
    return offer(kind, cost, html`${why} ${quote && action(product, buyer, kind, quote)}`);
  })}
  ${!buyer.owner && signIn(product, buyer, isPaid)} ${isPaid && !buyer.takesPayments && closed()}`;
}

/** What it costs, what it is for in a sentence, and all that it allows. */
function offer(kind: LicenceKind, cost: Markup, action: Markup): Markup {
  const { summary, paragraphs } = currentTerms(kind);
  return html`<div class="stack stack--close licence-offer">
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

/** This person's price, next to the price for everyone. */
function ownPrice({ cents, list_cents }: LicenceQuote): Markup {
  return html`<span class="price price--sale"
    ><span class="aside-from-sight">Your price </span>${cents === 0 ? "Free" : money(cents / CENTS)}
    <s><span class="aside-from-sight">instead of </span>${money(list_cents / CENTS)}</s></span
  >`;
}

function whyLower({ reductions }: LicenceQuote): string {
  return `Your price: ${reductions.map((one) => reductionWords(one)).join(", ")}.`;
}

function action(
  { slug, name }: CatalogProductResource,
  { owner, takesPayments, membersTier }: Buyer,
  kind: LicenceKind,
  { cents, refusal, reductions }: LicenceQuote,
): Markup | false | undefined {
  if (!owner) return undefined;
  switch (refusal) {
    case "already_owned":
      return owner.owned.some((licence) => licence.kind === kind)
        ? html`<p class="note">You have this licence.</p>`
        : html`<p class="note">Your client licence covers all of it.</p>`;
    case "membership_required":
      return linkButton({ href: MEMBERSHIP_PATH, label: `Join ${membersTier ?? "a membership"} to buy` });
    case "":
      break;
    default:
      return undefined;
  }
  if (cents > 0 && !takesPayments) return false;
  const isUpgrade = reductions.some((one) => one.kind === "upgrade");
  return buyForm(owner.person, {
    wanted: { product: slug, licence: kind },
    cents,
    label: cents === 0 ? "Get it for free" : `${isUpgrade ? "Upgrade" : "Buy"} for ${money(cents / CENTS)}`,
    of: `${name}, ${kind} licence`,
    kind: kind === "standard" ? "primary" : "quiet",
  });
}

function signIn(
  { slug, effective_price: now, plus_only: isForMembers }: CatalogProductResource,
  { takesPayments, membersTier }: Buyer,
  isPaid: boolean,
): Markup | false {
  if (isPaid && !takesPayments && now !== 0) return false;
  if (isForMembers)
    return linkButton({ href: MEMBERSHIP_PATH, label: `Join ${membersTier ?? "a membership"} to buy` });
  const href = `/sign-in?next=${encodeURIComponent(productPath(slug))}`;
  // Apart from the last licence, because it is for all of them.
  return html`<div class="stack stack--close licence-offer">
    ${linkButton({ href, label: now === 0 ? "Sign in to get it for free" : "Sign in to buy" })}
  </div>`;
}

function closed(): Markup {
  return standingNotice({
    tone: "info",
    title: "Not for sale here yet",
    body: "This site takes no payments. You can still get free products.",
  });
}

function ownedPart(owned: readonly LibraryLicenceResource[]): Markup {
  return html`<div class="stack owned">${owned.map((licence) => ownedLicence(licence))}</div>`;
}

function ownedLicence(licence: LibraryLicenceResource): Markup {
  const { kind, granted_at, order_id, files } = licence;
  return html`<div class="stack">
    <p class="owned__what">
      <strong>You own this</strong>: ${label(kind)} licence, since ${dateOf(granted_at)}
    </p>
    <p class="cluster">
      ${linkButton({ href: downloadPath(licence), label: files.length > 0 ? "Download" : "Open the library" })}
      ${order_id !== null && html`<a href=${orderPath(order_id)}>Receipt</a>`}
      <a href=${askPath("licence", order_id === null ? undefined : orderNumber(order_id))}>Help</a>
    </p>
  </div>`;
}
