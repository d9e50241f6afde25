// /account/plan: the plans, what each includes, and which one the account is on.
import type { z } from "zod";
import { fromMessage } from "../../../proto/codec.ts";
import type { FastifyInstance } from "fastify";
import { planSchema } from "../../../proto/resources/model.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { badge } from "../design/badge.ts";
import { counted, credits } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { personCall } from "../session/current-person.ts";
import { sendAccountPage, supportContact } from "./account-frame.ts";

type Plan = z.output<typeof planSchema>;

export function planPage(app: FastifyInstance, { core, config }: GatewayOptions): void {
  app.get("/account/plan", async (request, reply) => {
    const { person } = request;
    const { plans } = await core.models.ListPlans({}, personCall(request));
    const body = html`<p class="lead">
        The plan says how much runs at a time, and whether programs may use the account.
      </p>
      <ul class="plans">
        ${plans.map((plan) => planCard(fromMessage(planSchema, plan), plan.plan === person.plan))}
      </ul>
      <p>
        To move to another plan, write to ${supportContact(config.supportEmail)}. Keys and credits stay as
        they are.
      </p>`;
    return sendAccountPage(reply, { path: "/account/plan", title: "Plan", body });
  });
}

function planCard({ name, concurrency, api, monthly_credits }: Plan, isCurrent: boolean): Markup {
  return html`<li class=${isCurrent ? "card card--current" : "card"}>
    <h2>${name}</h2>
    ${isCurrent && html`<p>${badge({ label: "your plan", tone: "accent" })}</p>`}
    <p>${counted(concurrency, "job")} at a time</p>
    <p>${credits(monthly_credits)} a month</p>
    <p>${api ? "API and assistants’ tools included" : "No API; generate on the website"}</p>
  </li>`;
}
