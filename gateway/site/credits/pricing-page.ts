// /pricing for everyone: the plans, credit packs, what credits make, the trial, and how credits expire and payments are refunded.
import { fromMessages } from "../../../proto/codec.ts";
import { type ModelResource, modelSchema, planSchema } from "../../../proto/resources/model.ts";
import { creditPackSchema, REFUND_DAYS } from "../../../proto/resources/order.ts";
import { pricingOf, UNIT_WORDS } from "../../../proto/resources/pricing.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { callFor, countAddress } from "../../http/auth.ts";
import { INDEXED } from "../../http/crawlers.ts";
import { PRICING_PATH, trialOffer, trialInvitation } from "../account/trial.ts";
import { linkButton } from "../design/button.ts";
import { counted, credits, money } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { renderPage } from "../layout/render-page.ts";
import { sharedHead } from "../layout/shared-head.ts";
import { responsivePicture, samplesOf } from "../samples/samples.ts";
import { currentPerson, personCall } from "../session/current-person.ts";
import { planCard } from "../shop/plan-card.ts";
import { PACKS_PATH } from "../shop/shop-paths.ts";
import { modelPath } from "../studio/paths.ts";

const CENTS = 100;
const EXAMPLE = 100;
/** What one generation makes. */
const WORKS = { image: "image", video: "clip", audio: "audio file" } as const;
const SHOWN = {
  path: PRICING_PATH,
  title: "Pricing",
  description: "Plans, credit packs, and what credits make. Every account has free credits each month.",
};

export function pricingPage(app: GatewayApp, { core, limits, baseUrl }: GatewayOptions): void {
  app.get(PRICING_PATH, INDEXED, async (request, reply) => {
    await countAddress(request, reply, limits, "catalog");
    const call = callFor(request);
    const person = await currentPerson(request);
    const [{ plans: listed }, { packs }, { models }, { payments }, trial] = await Promise.all([
      core.models.ListPlans({}, call),
      core.orders.ListPacks({}, call),
      core.models.ShowModels({}, call),
      core.orders.DescribeShop({}, call),
      person && core.accounts.GetTrial({}, personCall(request, person)),
    ]);
    const plans = fromMessages(planSchema, listed);
    const free = plans.find(({ price_usd }) => price_usd === 0);
    return renderPage(reply, {
      ...SHOWN,
      styles: ["account.css", "shop.css"],
      head: sharedHead({ ...SHOWN, type: "website", baseUrl }),
      person,
      body: html`<div class="stack stack--loose">
        <h1>Pricing</h1>
        ${free && html`<p class="lead">Start with ${credits(free.monthly_credits)} a month for free. Generation takes credits: you see the price before you press, and failed jobs cost nothing.</p>`}
        ${payments === "" && html`<p>This site takes no payments. The free plan and free products work.</p>`}
        <ul class="plans">
          ${plans.map((plan) => {
            const { name, price_usd: usd } = plan;
            const isCurrent = plan.plan === person?.plan;
            // A person who pays for a plan gets to the free one by cancelling.
            const isOffered = usd !== null && !isCurrent && (usd > 0 || !person);
            return planCard(plan, { isCurrent, action: isOffered && choose(name, usd) });
          })}
        </ul>
        ${person && trial ? trialOffer(person, trial, true) : trialInvitation(plans)}
        ${payments !== "" && packsPart(fromMessages(creditPackSchema, packs))}
        ${makesPart(fromMessages(modelSchema, models))} ${plainWords()}
      </div>`,
    });
  });
}

function choose(name: string, usd: number): Markup {
  return html`<p>
    ${linkButton({ href: "/account/plan", label: usd === 0 ? "Start for free" : `Choose ${name}`, kind: usd === 0 ? "quiet" : "primary" })}
  </p>`;
}

function packsPart(packs: readonly { pack: string; credits: number; price_cents: number }[]): Markup {
  return html`<section class="stack" aria-labelledby="packs">
    <h2 id="packs">Credit packs</h2>
    <p>For any plan, paid once. They never expire.</p>
    <ul class="plans">
      ${packs.map(
        ({ credits: amount, price_cents }) =>
          html`<li class="card">
            <h3>${credits(amount)}</h3>
            <p class="plans__price">${money(price_cents / CENTS)}</p>
          </li>`,
      )}
    </ul>
    <p>${linkButton({ href: PACKS_PATH, label: "Buy credits", kind: "quiet" })}</p>
  </section>`;
}

/** One row for each live model that has a sample. */
function makesPart(models: readonly ModelResource[]): Markup | false {
  const shown = models.flatMap((model) => {
    const [sample] = samplesOf(model.model_slug);
    return sample && model.status === "live" ? [{ model, sample }] : [];
  });
  if (shown.length === 0) return false;
  return html`<section class="stack" aria-labelledby="makes">
    <h2 id="makes">What ${EXAMPLE} credits make</h2>
    <ul class="makes">
      ${shown.map(
        ({ model, sample }) =>
          html`<li>
            <a href=${modelPath(model.model_slug)}>
              <img ...${responsivePicture(sample, "(max-width: 40rem) 45vw, 14rem")} alt="" loading="lazy" />
              <strong>${amountOf(model)}</strong>
              <span class="note">${model.name}</span>
            </a>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** For example, at the lowest price: up to 25 images. */
function amountOf(model: ModelResource): string {
  const { unit, rules, default: usual } = pricingOf(model);
  const lowest = Math.min(usual, ...rules.map((rule) => rule.credits));
  if (lowest === 0) return "as many as you like";
  const count = Math.floor(EXAMPLE / lowest);
  const most =
    unit === "1000_characters"
      ? counted(count * 1000, "character")
      : counted(count, unit === "generation" ? WORKS[model.modality] : UNIT_WORDS[unit]);
  return rules.length === 0 ? most : `up to ${most}`;
}

function plainWords(): Markup {
  return html`<section class="prose stack" aria-labelledby="plain">
    <h2 id="plain">In plain words</h2>
    <dl class="plain">
      <dt>Expiry</dt>
      <dd>
        A plan’s credits last until the end of the month after the one they came in. Credits that you buy
        never expire. Credits that expire first are spent first.
      </dd>
      <dt>Failed jobs</dt>
      <dd>Credits are held while a job runs, and captured only for what it delivers.</dd>
      <dt>Refunds</dt>
      <dd>
        Request a refund on the page of your order within ${REFUND_DAYS} days of paying. Support decides, and
        answers by mail. A refund takes back what was bought: the licence, or the credits that are left.
      </dd>
      <dt>Cancelling</dt>
      <dd>
        Plans and memberships renew until you cancel. Cancel at any time: you keep what is paid until the
        period ends.
      </dd>
    </dl>
  </section>`;
}
