// What a person does about a plan or a membership: forms of the account's pages.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { ERROR_TABLE, expectedError } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  changeQuoteSchema,
  SUBSCRIPTION_INTERVALS,
  SUBSCRIPTION_KINDS,
  type SubscriptionKind,
  type SubscriptionResource,
  subscriptionSchema,
} from "../../../proto/resources/subscription.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { sendAccountPage } from "../account/account-frame.ts";
import { linkButton } from "../design/button.ts";
import { html } from "../design/markup.js";
import { personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { changedNotice } from "./checkout-page.ts";
import { changeQuestion, subscriptionPath } from "./subscription-view.ts";

const change = z.strictObject({
  what: z.string().max(64),
  interval: z.enum(SUBSCRIPTION_INTERVALS),
  expected_cents: z.coerce.number().int().min(0),
});
const TITLES: Readonly<Record<SubscriptionKind, string>> = { plan: "Plan", membership: "Membership" };
/** What needs no more than the press. */
const PRESSES = {
  cancel: "CancelSubscription",
  resume: "ResumeSubscription",
  "drop-change": "DropChange",
  "end-demo-period": "EndDemoPeriod",
} as const;

/** All of the person's, newest first. */
export async function readSubscriptions(
  core: GatewayOptions["core"],
  request: FastifyRequest,
): Promise<SubscriptionResource[]> {
  const { subscriptions } = await core.subscriptions.ListSubscriptions({}, personCall(request));
  return fromMessages(subscriptionSchema, subscriptions);
}

export function liveOf(
  subscriptions: readonly SubscriptionResource[],
  kind: SubscriptionKind,
): SubscriptionResource | undefined {
  return subscriptions.find((each) => each.kind === kind && each.state !== "ended");
}

export function subscriptionPages(app: GatewayApp, options: GatewayOptions): void {
  for (const kind of SUBSCRIPTION_KINDS) kindPages(app, options, kind);
}

/** `expected_cents` is the price that the person has seen, and that is not the price any more. */
async function showChange(
  reply: FastifyReply,
  core: GatewayOptions["core"],
  live: SubscriptionResource,
  { what, interval, expected_cents: seen }: { what: string; interval: string; expected_cents?: number },
): Promise<FastifyReply> {
  const { request } = reply;
  const { kind } = live;
  const quoted = await core.subscriptions.QuoteChange({ kind, what, interval }, personCall(request));
  const quote = fromMessage(changeQuoteSchema, quoted);
  return sendAccountPage(reply, {
    path: subscriptionPath(kind),
    title: TITLES[kind],
    body: html`${seen !== undefined && changedNotice(seen, quote.offer.price_cents)}
    ${changeQuestion(request.person, live, quote)}`,
    status: seen === undefined ? 200 : ERROR_TABLE.price_changed.http,
  });
}

function kindPages(app: GatewayApp, { core }: GatewayOptions, kind: SubscriptionKind): void {
  const path = subscriptionPath(kind);
  const query = z.object({ what: z.string().max(64).catch(""), interval: z.string().max(16).catch("") });

  app.get(`${path}/change`, { schema: { querystring: query } }, async (request, reply) => {
    const live = liveOf(await readSubscriptions(core, request), kind);
    if (!live) return reply.redirect(path, 303);
    return showChange(reply, core, live, request.query);
  });

  app.post(`${path}/change`, async (request, reply) => {
    const form = formOf(request);
    const asked = parseRequest(change, {
      what: form.get("what"),
      interval: form.get("interval") || "month",
      expected_cents: form.get("expected_cents") || -1,
    });
    try {
      await core.subscriptions.ChangeSubscription({ kind, ...asked }, personCall(request));
    } catch (error) {
      const { code } = expectedError(error, ["price_changed", "order_conflict", "not_found"]);
      const live = liveOf(await readSubscriptions(core, request), kind);
      if (live && code === "price_changed") return showChange(reply, core, live, asked);
      // An earlier press has changed it, or it has ended: the page shows which.
      const isDone = live?.what === asked.what && live.interval === asked.interval;
      if (live && !isDone) throw error;
    }
    return reply.redirect(path, 303);
  });

  for (const [name, method] of Object.entries(PRESSES))
    app.post(`${path}/${name}`, async (request, reply) => {
      try {
        await core.subscriptions[method]({ kind }, personCall(request));
      } catch (error) {
        // It has ended, maybe by an earlier press: the page shows that.
        expectedError(error, ["not_found"]);
      }
      return reply.redirect(path, 303);
    });

  app.post(`${path}/portal`, async (request, reply) => {
    const { url } = await core.subscriptions.OpenPortal({ kind }, personCall(request));
    if (url === "") return reply.redirect(path, 303);
    // By a page: browsers let no form of ours end up elsewhere.
    const body = html`<p>
      ${linkButton({ href: url, label: "To the payment provider", isElsewhere: true })}
    </p>`;
    return sendAccountPage(reply.header("refresh", `0; url=${url}`), { path, title: TITLES[kind], body });
  });
}
