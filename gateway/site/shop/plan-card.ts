// A plan with its price first and what it includes, on /pricing and among the account's pages.
import type { PlanResource } from "../../../proto/resources/model.ts";
import { badge } from "../design/badge.ts";
import { counted, credits, money } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { html, type Children, type Markup } from "../design/markup.js";

export function planCard(
  { name, concurrency, api, monthly_credits, price_usd }: PlanResource,
  { isCurrent, action }: { isCurrent: boolean; action: Children },
): Markup {
  return html`<li class=${isCurrent ? "card card--current" : "card"}>
    <h2>${name}</h2>
    ${price_usd !== null && html`<p class="plans__price">${money(price_usd)} a month</p>`}
    ${isCurrent && html`<p>${badge({ label: "Your plan", tone: "accent" })}</p>`}
    ${benefits([
      `${credits(monthly_credits)} a month`,
      `${counted(concurrency, "job")} at a time`,
      api ? "API keys for programs and assistants" : "On the website, without API keys",
    ])}
    ${action}
  </li>`;
}

/** With a check mark before each. */
export function benefits(words: readonly string[]): Markup {
  return html`<ul class="stack stack--tight benefits">
    ${words.map((each) => html`<li>${icon("check")} <span>${each}</span></li>`)}
  </ul>`;
}
