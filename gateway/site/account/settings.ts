// /account: name and email address, what the account has, where it is signed in, and taking its data along.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError, ERROR_TABLE, type ErrorCode } from "../../../proto/codes.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { signInForForm } from "../session/protect.ts";
import { sendAccountPage } from "./account-frame.ts";
import { askForEmail } from "./change-email.ts";
import { settingsBody, type SettingsNotice } from "./settings-view.ts";

const PATH = "/account";
/** What the person can put right on this very page, or do again in a moment. */
const TOLD_HERE: readonly ErrorCode[] = ["invalid_request", "service_unavailable"];

export function settingsPages(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;
  const querystring = z.object({ done: z.string().catch("") });
  app.get(PATH, { schema: { querystring } }, (request, reply) => {
    const kept = app.sessions.keptForms.take(request, reply);
    const typed = kept && { name: kept.get("name"), email: kept.get("email") };
    return show(reply, options, {
      ...(request.query.done === "name" && { done: "name" }),
      ...(typed && { typed }),
    });
  });

  const keeping = { config: { keepsForm: true } } as const;
  app.post(`${PATH}/name`, keeping, async (request, reply) => {
    const name = formOf(request).get("name");
    try {
      await core.accounts.ChangeName({ name }, personCall(request));
      return await reply.redirect(`${PATH}?done=name`, 303);
    } catch (error) {
      return show(reply, options, { typed: { name }, refusal: toldHere(error) });
    }
  });

  app.post(`${PATH}/email`, keeping, async (request, reply) => {
    const email = formOf(request).get("email");
    if (!request.person.fresh) return signInForForm(request, reply);
    try {
      const mailedTo = await askForEmail(request, options, email);
      return await show(reply, options, { mailedTo });
    } catch (error) {
      return show(reply, options, { typed: { email }, refusal: toldHere(error) });
    }
  });
}

async function show(
  reply: FastifyReply,
  options: GatewayOptions,
  news: SettingsNotice,
): Promise<FastifyReply> {
  const { person } = reply.request;
  const body = settingsBody(person, await readInfo(reply.request, options), news);
  const status = news.refusal ? ERROR_TABLE[news.refusal.code].http : 200;
  return sendAccountPage(reply, { path: PATH, title: "Settings", body, status });
}

async function readInfo(request: FastifyRequest, { core }: GatewayOptions) {
  const call = personCall(request);
  const [membership, balance, { keys }, { sessions }, change] = await Promise.all([
    core.memberships.GetMembership({}, call),
    core.credits.GetBalance({}, call),
    core.accounts.ListKeys({}, call),
    core.sessions.ListSessions({}, call),
    core.sessions.GetEmailChange({}, call),
  ]);
  const now = new Date();
  const live = keys.filter(
    ({ revoked_at, expires_at }) => !revoked_at && (!expires_at || new Date(expires_at) > now),
  );
  return {
    plan: membership.plan_name,
    membership: membership.tier_name,
    available: balance.available,
    missingWelcome: balance.missing_welcome,
    keys: live.length,
    sessions: sessions.length,
    change,
  };
}

function toldHere(error: unknown): AppError {
  if (error instanceof AppError && TOLD_HERE.includes(error.code)) return error;
  throw error;
}
