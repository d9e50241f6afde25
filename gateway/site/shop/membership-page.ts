// /account/membership: the membership, the licences, and how to get a member key, which no page makes.
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import {
  type LicenceResource,
  type MembershipResource,
  hasBenefits,
  licenceSchema,
  membershipSchema,
} from "../../../proto/resources/membership.ts";
import type { SubscriptionResource } from "../../../proto/resources/subscription.ts";
import type { Tier } from "../../../proto/types/atelier/v1/Tier.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { facts, sendAccountPage } from "../account/account-frame.ts";
import { badge, type BadgeTone } from "../design/badge.ts";
import { linkButton } from "../design/button.ts";
import { label } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { dateOf } from "../design/time.ts";
import { productPath } from "../layout/product-paths.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { benefits } from "./plan-card.ts";
import { offerAction, subscriptionCard } from "./subscription-view.ts";
import { liveOf, readSubscriptions } from "./subscriptions.ts";

const PATH = "/account/membership";
const LICENCES_PER_PAGE = 25;
const MAX_CURSOR = 512;

export function membershipPage(app: GatewayApp, { core }: GatewayOptions): void {
  const querystring = z.object({ cursor: z.string().max(MAX_CURSOR).catch("") });

  app.get(PATH, { schema: { querystring } }, async (request, reply) => {
    const { person } = request;
    const call = personCall(request);
    const { cursor } = request.query;
    const [membership, page, { tiers }, { payments }, subscriptions] = await Promise.all([
      core.memberships.GetMembership({}, call),
      core.memberships.ListLicences({ limit: LICENCES_PER_PAGE, cursor, with_withdrawn: true }, call),
      core.memberships.ListTiers({}),
      core.orders.DescribeShop({}),
      readSubscriptions(core, request),
    ]);
    const live = liveOf(subscriptions, "membership");
    const own = fromMessage(membershipSchema, membership);
    const body = html`${membershipCard(own, live)}
      ${live && subscriptionCard(person, live, { isDemo: payments === "demo" })}
      ${
        payments !== "" &&
        html`<ul class="plans">
          ${tiers.filter((tier) => hasBenefits(tier)).map((tier) => tierCard(person, { live, own }, tier))}
        </ul>`
      }
      <section class="stack" aria-labelledby="licences">
        <h2 id="licences">Licences</h2>
        ${licences(fromMessages(licenceSchema, page.licences), new Set(page.withdrawn_product_ids))}
        ${page.next_cursor && linkButton({ href: `${PATH}?cursor=${encodeURIComponent(page.next_cursor)}`, label: "Older licences", kind: "quiet" })}
      </section>
      <section class="stack" aria-labelledby="member-keys">
        <h2 id="member-keys">Member keys</h2>
        <p>
          A member key lets your assistant use the member tools for you.${" "}
          <a href="/support/new?kind=member_key">Ask for one</a>, and support puts it where only you can see
          it, once. Keep it to yourself.
        </p>
      </section>`;
    return sendAccountPage(reply, { path: PATH, title: "Membership", body });
  });
}

const TONES: Readonly<Record<MembershipResource["status"], BadgeTone>> = {
  active: "success",
  lapsed: "warning",
  none: "neutral",
};

function membershipCard(membership: MembershipResource, live: SubscriptionResource | undefined): Markup {
  const { status, tier_name, started_at, current_period_end, eligible, plus_products } = membership;
  if (status === "none") {
    return emptyState({
      title: "You’re not a member yet",
      body: "Licences you buy or are given are listed below either way.",
    });
  }
  return html`<section class="card stack">
    ${facts([
      ["Tier", tier_name ?? "unknown"],
      // While it is paid by the period, the card below has the state of that.
      !live && ["Status", badge({ label: status, tone: TONES[status] })],
      started_at !== null && ["Member since", dateOf(started_at)],
      current_period_end !== null && [
        status === "active" ? "Active until" : "Ended on",
        html`${dateOf(current_period_end)}${lateWords(current_period_end, live)}`,
      ],
      ["Member tools", eligible ? "Included" : "Not included now"],
      ["Members-only products", plus_products ? "You can buy them" : "Not included now"],
    ])}
    ${status === "lapsed" && html`<p>Your membership has ended. Everything you have licences for stays yours.</p>`}
  </section>`;
}

/** Why it holds longer than what is paid. */
function lateWords(until: string, live: SubscriptionResource | undefined): string {
  const isLonger = live?.state === "active" && Date.parse(until) > Date.parse(live.period_end);
  return isLonger ? " (we allow a day for the next payment to arrive)" : "";
}

function tierCard(
  person: Person,
  { live, own }: { live: SubscriptionResource | undefined; own: MembershipResource },
  tier: Tier,
): Markup {
  const { tier: what, name, monthly_price_cents, yearly_price_cents } = tier;
  const offers = [
    { interval: "month", cents: monthly_price_cents },
    { interval: "year", cents: yearly_price_cents },
  ] as const;
  return html`<li class="card stack">
    <h2>${name}</h2>
    ${benefits([
      ...(tier.plus_products ? ["Buy members-only products"] : []),
      ...(tier.discount_percent > 0 ? [`${tier.discount_percent}% off every product`] : []),
      ...(tier.member_tools ? ["Member tools for your assistant"] : []),
    ])}
    ${offers.map(
      ({ interval, cents }) =>
        cents &&
        offerAction(person, live, {
          kind: "membership",
          what,
          interval,
          cents,
          of: `${name} by the ${interval}`,
          wanted: { tier: what, interval },
          isHad: own.status === "active" && own.tier === what,
        }),
    )}
  </li>`;
}

const SOURCES: Readonly<Record<LicenceResource["source"], string>> = {
  purchase: "Bought",
  membership: "With your membership",
  grant: "Given by support",
};

/** Products that are withdrawn have no page to lead to. */
function licences(rows: readonly LicenceResource[], withdrawn: ReadonlySet<string>): Markup {
  if (rows.length === 0) {
    return emptyState({
      title: "No licences yet",
      body: "Products you buy are listed here.",
      action: linkButton({ href: "/products", label: "Browse products", kind: "quiet" }),
    });
  }
  return table({
    caption: "Licences, newest first",
    columns: ["Product", "Licence", "How", "Since", "Status"],
    rows: rows.map((licence) => [
      withdrawn.has(licence.product_id)
        ? licence.product_name
        : html`<a href=${productPath(licence.product_slug)}>${licence.product_name}</a>`,
      label(licence.kind),
      SOURCES[licence.source],
      dateOf(licence.granted_at),
      licence.status === "active"
        ? badge({ label: "active", tone: "success" })
        : badge({ label: "revoked", tone: "danger" }),
    ]),
  });
}
