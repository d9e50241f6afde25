// What a person pays for by the period, as part of a page: its state, what comes next, and what can be done about it.
import type { z } from "zod";
import type {
  changeQuoteSchema,
  SubscriptionKind,
  SubscriptionResource,
} from "../../../proto/resources/subscription.ts";
import { actionForm, amounts, confirmedAction, facts, type Fact } from "../account/account-frame.ts";
import { badge, type BadgeTone } from "../design/badge.ts";
import { linkButton } from "../design/button.ts";
import { count, label, money } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { dateOf } from "../design/time.ts";
import type { Person } from "../session/current-person.ts";
import { buyForm, type Wanted } from "./buy-form.ts";

const CENTS = 100;
const STATES: Readonly<Record<SubscriptionResource["state"], { label: string; tone: BadgeTone }>> = {
  active: { label: "active", tone: "success" },
  past_due: { label: "payment missing", tone: "danger" },
  cancelling: { label: "cancelled", tone: "warning" },
  ended: { label: "ended", tone: "neutral" },
};

export function subscriptionPath(kind: SubscriptionKind): "/account/plan" | "/account/membership" {
  return `/account/${kind}`;
}

export function subscriptionCard(
  person: Person,
  subscription: SubscriptionResource,
  { isDemo }: { isDemo: boolean },
): Markup {
  const { kind, name, state, next_change, grace_until, period_end, events } = subscription;
  const path = subscriptionPath(kind);
  const last = events.at(-1);
  return html`<section class="card stack" aria-label="Subscription">
    ${facts([
      ["You pay for", name],
      ["Price", perPeriod(subscription.price_cents, subscription.interval)],
      ["Status", badge(STATES[state])],
      ["Paid until", dateOf(period_end)],
      nextFact(subscription),
      next_change !== null && [
        "From then on",
        `${label(next_change.what)}, ${perPeriod(next_change.price_cents, next_change.interval)}`,
      ],
    ])}
    ${subscription.is_suspended && standingNotice({ tone: "danger", title: "On hold while a payment is disputed", body: "Your bank is looking into it. Until it decides, this cannot be used." })}
    ${subscription.is_changing && standingNotice({ tone: "info", title: "A change is under way", body: "We’re telling the payment provider. Check again in a minute." })}
    ${state === "past_due" && standingNotice({ tone: "warning", title: "A payment is missing", body: html`${perPeriod(subscription.price_cents, subscription.interval)} could not be charged. You keep ${name} until ${dateOf(grace_until ?? period_end)}. Please make sure your card can be charged.` })}
    ${last?.type === "noted" && last.note !== null && html`<p class="note">${last.note}</p>`}
    <div class="cluster">
      ${state === "cancelling" && actionForm(person, { action: `${path}/resume`, label: `Keep it for ${perPeriod(subscription.price_cents, subscription.interval)}`, kind: "primary" })}
      ${next_change !== null && actionForm(person, { action: `${path}/drop-change`, label: "Cancel the change" })}
      ${
        (state === "active" || state === "past_due") &&
        confirmedAction(person, {
          action: `${path}/cancel`,
          label: "Cancel",
          of: name,
          question:
            state === "past_due"
              ? "It ends now, because a payment for it is missing."
              : html`It stays yours until ${dateOf(period_end)}, and nothing more is charged.`,
        })
      }
      ${!isDemo && actionForm(person, { action: `${path}/portal`, label: "Card and address" })}
      ${isDemo && actionForm(person, { action: `${path}/end-demo-period`, label: "Demo: end the period now" })}
    </div>
  </section>`;
}

/** What joins it, or leads to the change of what is paid for already. */
export function offerAction(
  person: Person,
  live: SubscriptionResource | undefined,
  offer: {
    kind: SubscriptionKind;
    what: string;
    interval: "month" | "year";
    cents: number;
    of: string;
    wanted: Wanted;
    /** Support has given it. */
    isHad: boolean;
  },
): Markup | undefined {
  const { kind, what, interval, cents, of, wanted, isHad } = offer;
  // The card of a plan begins with its price.
  const words = kind === "membership" && html`<p class="plans__price">${perPeriod(cents, interval)}</p>`;
  if (!live && isHad) return html`${words}`;
  if (!live)
    return html`${words}
    ${buyForm(person, { wanted, cents, label: `Join for ${money(cents / CENTS)}`, of: `a ${interval}: ${of}` })}`;
  const isSame = live.what === what && live.interval === interval;
  const isChangeable = live.state === "active" && !live.is_suspended && !live.is_changing;
  if (isSame || !isChangeable) return html`${words}`;
  const href = `${subscriptionPath(kind)}/change?what=${encodeURIComponent(what)}&interval=${interval}`;
  return html`${words}
    <p>${linkButton({ href, label: `Change to ${of}`, kind: "quiet" })}</p>`;
}

/** The price difference, shown before anything is changed. */
export function changeQuestion(
  person: Person,
  { kind, period_end }: SubscriptionResource,
  { offer, name, when, due_cents, unused_cents, renews_at, credits_now }: z.output<typeof changeQuoteSchema>,
): Markup {
  const path = subscriptionPath(kind);
  return html`<section class="card stack">
      <h2>Change to ${name}</h2>
      ${
        when === "now"
          ? html`${amounts([
                ["New price", perPeriod(offer.price_cents, offer.interval)],
                ["Unused time of what you have", `−${money(unused_cents / CENTS)}`],
                ["Due now", html`<strong>about ${money(due_cents / CENTS)}</strong>`],
              ])}
              ${facts([
                [
                  "Renews",
                  html`on ${dateOf(renews_at)} for ${perPeriod(offer.price_cents, offer.interval)}, until you
                  cancel`,
                ],
                credits_now !== null && ["Credits added now", count(credits_now)],
              ])}
              <p>You get it right away, and a new period begins today.</p>`
          : html`${facts([
                ["New price", perPeriod(offer.price_cents, offer.interval)],
                ["Due now", html`<strong>nothing</strong>`],
              ])}
              <p>It changes on ${dateOf(period_end)}. Until then you keep what you have paid for.</p>`
      }
      ${actionForm(person, {
        action: `${path}/change`,
        label:
          when === "now"
            ? `Pay about ${money(due_cents / CENTS)} and change`
            : "Change at the end of the period",
        kind: "primary",
        values: { what: offer.what, interval: offer.interval, expected_cents: offer.price_cents },
      })}
    </section>
    <p>${linkButton({ href: path, label: "Keep it as it is", kind: "quiet" })}</p>`;
}

/** What comes after the time that is paid. */
export function nextFact({
  state,
  grace_until,
  period_end,
  next_change,
  price_cents,
}: SubscriptionResource): Fact {
  if (state === "cancelling") return ["Next charge", "none: it ends then"];
  if (state === "past_due") return ["Ends on, unless it is paid", dateOf(grace_until ?? period_end)];
  const cents = next_change?.price_cents ?? price_cents;
  return ["Next charge", html`${money(cents / CENTS)} on ${dateOf(period_end)}, until you cancel`];
}

export function perPeriod(cents: number, interval: "month" | "year"): string {
  return `${money(cents / CENTS)} a ${interval}`;
}
