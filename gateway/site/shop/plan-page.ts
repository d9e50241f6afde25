// /account/plan: the plans, what each includes and costs, which one the account is on, and what is paid for.
import { fromMessages } from "../../../proto/codec.ts";
import { type PlanResource, planSchema } from "../../../proto/resources/model.ts";
import type { SubscriptionResource } from "../../../proto/resources/subscription.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { sendAccountPage, supportContact } from "../account/account-frame.ts";
import { trialCard } from "../account/trial.ts";
import { html, type Markup } from "../design/markup.js";
import { type Person, personCall } from "../session/current-person.ts";
import { planCard } from "./plan-card.ts";
import { offerAction, subscriptionCard } from "./subscription-view.ts";
import { liveOf, readSubscriptions } from "./subscriptions.ts";

const CENTS = 100;

export function planPage(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.get("/account/plan", async (request, reply) => {
    const { person } = request;
    const [{ plans }, { payments }, trial, subscriptions] = await Promise.all([
      core.models.ListPlans({}, personCall(request)),
      core.orders.DescribeShop({}),
      core.accounts.GetTrial({}, personCall(request)),
      readSubscriptions(core, request),
    ]);
    const live = liveOf(subscriptions, "plan");
    const isSold = payments !== "";
    const body = html`<p class="lead">
        Your plan sets how many jobs run at the same time, how many credits you get each month, and whether
        programs can use your account.
      </p>
      ${live && subscriptionCard(person, live, { isDemo: payments === "demo" })}
      <ul class="plans">
        ${fromMessages(planSchema, plans).map((plan) =>
          planCard(plan, {
            isCurrent: plan.plan === person.plan,
            action: isSold && joining(person, live, plan),
          }),
        )}
      </ul>
      ${trialCard(person, trial)}
      ${
        isSold
          ? html`<p>Your keys and credits stay as they are when you switch.</p>`
          : html`<p>
              To switch plans, write to ${supportContact(config.supportEmail)}. Your keys and credits stay as
              they are.
            </p>`
      }`;
    return sendAccountPage(reply, { path: "/account/plan", title: "Plan", body });
  });
}

function joining(
  person: Person,
  live: SubscriptionResource | undefined,
  { plan, name, price_usd }: PlanResource,
): Markup | undefined {
  if (price_usd === null) return undefined;
  const cents = Math.round(price_usd * CENTS);
  if (cents === 0) return undefined;
  return offerAction(person, live, {
    kind: "plan",
    what: plan,
    interval: "month",
    cents,
    of: name,
    wanted: { plan },
    isHad: plan === person.plan,
  });
}
