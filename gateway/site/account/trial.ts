// The trial of a plan with the API: how pages offer it, and the form that starts it.
import { type PlanResource, TRIAL_DAYS, TRIED_PLAN } from "../../../proto/resources/model.ts";
import type { Trial } from "../../../proto/types/atelier/v1/Trial.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { linkButton } from "../design/button.ts";
import { html, type Markup } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { dateOf } from "../design/time.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { actionForm } from "./account-frame.ts";

export const PRICING_PATH = "/pricing";
const TRIAL_PATH = "/account/trial";

export function trialRoute(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(TRIAL_PATH, async (request, reply) => {
    await core.accounts.StartTrial({}, personCall(request));
    return reply.redirect("/account/keys", 303);
  });
}

/** Whether the account can have API keys now. */
export function hasApi({ state }: Trial): boolean {
  return state === "included" || state === "running";
}

/** The trial that the account can start, or that runs; nothing in any other state. `nextToPlans` are on the page that compares plans. */
export function trialOffer(
  person: Person,
  { state, plan_name: name, until = "" }: Trial,
  nextToPlans = false,
): Markup | undefined {
  if (state === "running")
    return standingNotice({
      tone: "info",
      title: html`You try ${name} until ${dateOf(until)}`,
      body: html`Nothing is charged. Then your keys are refused, unless you${" "}
      ${nextToPlans ? "choose a plan" : html`<a href=${PRICING_PATH}>choose a plan</a>`} with the API.`,
    });
  if (state === "offered")
    return standingNotice({
      tone: "info",
      title: `Try ${name} for ${TRIAL_DAYS} days`,
      body: html`${trialWords(name)}
        <div class="cluster">
          ${actionForm(person, { action: TRIAL_PATH, label: "Start the trial", kind: "primary" })}
          ${!nextToPlans && comparePlans()}
        </div>`,
    });
  return undefined;
}

/** The same, or why there is none; nothing if the plan includes the API. */
export function trialCard(person: Person, trial: Trial): Markup | false {
  const { state, until = "" } = trial;
  if (state === "included") return false;
  return (
    trialOffer(person, trial) ??
    standingNotice({
      tone: "info",
      title: "Your plan does not include the API.",
      body: html`${state === "ended" && html`<p>Your trial ended on ${dateOf(until)}.</p>`}
        ${state === "used" && html`<p>Another account of your mailbox has had the trial.</p>`}
        <p>${comparePlans()}</p>`,
    })
  );
}

function comparePlans(): Markup {
  return linkButton({ href: PRICING_PATH, label: "Compare plans", kind: "quiet" });
}

/** The offer as visitors see it before they have an account. */
export function trialInvitation(plans: readonly PlanResource[]): Markup | undefined {
  const tried = plans.find(({ plan }) => plan === TRIED_PLAN);
  return (
    tried &&
    standingNotice({
      tone: "info",
      title: `Try ${tried.name} for ${TRIAL_DAYS} days`,
      body: html`<div class="stack">
        ${trialWords(tried.name)}
        <p>${linkButton({ href: `/sign-in?next=${PRICING_PATH}`, label: "Sign in to start the trial" })}</p>
      </div>`,
    })
  );
}

function trialWords(name: string): Markup {
  return html`<p>
    Keys for your programs and assistants, and as many jobs at a time as on ${name}. No card, no charge: it
    ends on its own. You use the credits that you have. Afterwards your keys are refused.
  </p>`;
}
