// /account: who is signed in, what the account has, and where to change it.
import type { FastifyInstance } from "fastify";
import type { GatewayOptions } from "../../gateway.ts";
import { credits } from "../design/format.ts";
import { html } from "../design/markup.js";
import { personCall } from "../session/current-person.ts";
import { facts, sendAccountPage } from "./account-frame.ts";

export function overviewPage(app: FastifyInstance, { core }: GatewayOptions): void {
  app.get("/account", async (request, reply) => {
    const { person } = request;
    const call = personCall(request);
    const [membership, balance, { keys }] = await Promise.all([
      core.memberships.GetMembership({}, call),
      core.credits.GetBalance({}, call),
      core.accounts.ListKeys({}, call),
    ]);
    const now = new Date();
    const live = keys.filter(
      ({ revoked_at, expires_at }) => !revoked_at && (!expires_at || new Date(expires_at) > now),
    );
    const body = html`<section class="card">
        ${facts([
          ["Name", person.name],
          ["E-mail address", person.email],
          ["Account", html`<code>${person.accountId}</code>`],
        ])}
      </section>
      <section class="card">
        ${facts([
          ["Credits", html`<a href="/credits">${credits(balance.available)} available</a>`],
          ["Plan", html`<a href="/account/plan">${membership.plan_name}</a>`],
          ["Membership", html`<a href="/account/membership">${membership.tier_name ?? "none"}</a>`],
          ["API keys", html`<a href="/account/keys">${live.length} live</a>`],
        ])}
      </section>`;
    return sendAccountPage(reply, { path: "/account", title: "Settings", body });
  });
}
