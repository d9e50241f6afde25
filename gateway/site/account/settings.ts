// /account: name and email address, plan and credits, sessions, and the data export.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError, ERROR_TABLE, type ErrorCode, expectedError, invalidField } from "../../../proto/codes.ts";
import type { Billing } from "../../../proto/types/atelier/v1/Billing.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { browserName } from "../session/browser-name.ts";
import { personCall } from "../session/current-person.ts";
import { type Form, formOf } from "../session/forms.ts";
import { newPasskeyNotice, sendNotice } from "../session/notices.ts";
import { passkeyAnswer, passkeySite } from "../session/passkeys.ts";
import { signInForForm } from "../session/protect.ts";
import { sendAccountPage } from "./account-frame.ts";
import { askForEmail } from "./change-email.ts";
import { PASSKEYS_PATH } from "./passkeys.ts";
import { settingsBody, type SettingsNotice } from "./settings-view.ts";

const PATH = "/account";
/** Errors that the person can correct on this page, or retry soon. */
const TOLD_HERE: readonly ErrorCode[] = ["invalid_request", "service_unavailable"];

const BILLING_FIELDS = ["billing_name", "billing_address", "tax_id"] as const;

export function settingsPages(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;
  const querystring = z.object({
    done: z.enum(["name", "billing", "passkey", "passkey-removed"]).optional().catch(undefined),
  });
  app.get(PATH, { schema: { querystring } }, (request, reply) => {
    const kept = app.sessions.keptForms.take(request, reply);
    // Every field of a form on this page belongs to that form alone.
    const typedIn = (name: string) => kept?.get(name) || undefined;
    const [name, email, passkey] = ["name", "email", "passkey_name"].map(typedIn);
    const { done } = request.query;
    return show(reply, options, {
      ...(done && { done }),
      typed: {
        ...(kept && BILLING_FIELDS.some(typedIn) && { billing: billingOf(kept) }),
        ...(name && { name }),
        ...(email && { email }),
        ...(passkey && { passkey }),
      },
    });
  });

  passkeyForms(app, options);

  const keeping = { config: { keepsForm: true } } as const;
  app.post(`${PATH}/name`, keeping, async (request, reply) => {
    const name = formOf(request).get("name");
    try {
      await core.accounts.ChangeName({ name }, personCall(request));
      return await reply.redirect(`${PATH}?done=name`, 303);
    } catch (error) {
      return show(reply, options, { typed: { name }, refusal: expectedError(error, TOLD_HERE) });
    }
  });

  app.post(`${PATH}/billing`, keeping, async (request, reply) => {
    const billing = billingOf(formOf(request));
    try {
      await core.accounts.ChangeBilling(billing, personCall(request));
      return await reply.redirect(`${PATH}?done=billing`, 303);
    } catch (error) {
      return show(reply, options, { typed: { billing }, refusal: expectedError(error, TOLD_HERE) });
    }
  });

  app.post(`${PATH}/email`, keeping, async (request, reply) => {
    const email = formOf(request).get("email");
    if (!request.person.fresh) return signInForForm(request, reply);
    try {
      const mailedTo = await askForEmail(request, options, email);
      return await show(reply, options, { mailedTo });
    } catch (error) {
      return show(reply, options, { typed: { email }, refusal: expectedError(error, TOLD_HERE) });
    }
  });
}

function billingOf(form: Form): Billing {
  return { name: form.get("billing_name"), address: form.get("billing_address"), tax_id: form.get("tax_id") };
}

function passkeyForms(app: GatewayApp, options: GatewayOptions): void {
  const { core, baseUrl } = options;
  app.post(PASSKEYS_PATH, { config: { keepsForm: true } }, async (request, reply) => {
    const { person } = request;
    if (person.issuedElsewhere) throw new AppError("not_found");
    if (!person.fresh) return signInForForm(request, reply);
    const name = formOf(request).get("passkey_name");
    const answer = passkeyAnswer(request, options);
    const { host } = passkeySite(request, options);
    try {
      // The script sends no response where it was refused options, for a reason that is asked for again here.
      if (formOf(request).get("response") === "")
        await core.sessions.StartPasskey({ host }, personCall(request));
      if (!answer)
        throw invalidField("passkey", "was not made in this browser: reload the page and try again");
      await core.sessions.AddPasskey({ name, ...answer }, personCall(request));
    } catch (error) {
      return show(reply, options, { typed: { passkey: name }, refusal: expectedError(error, TOLD_HERE) });
    }
    sendNotice(request, person.email, newPasskeyNotice(request, name, baseUrl));
    return reply.redirect(`${PATH}?done=passkey`, 303);
  });

  const params = z.object({ passkey_id: z.string().max(2_000) });
  app.post(`${PASSKEYS_PATH}/:passkey_id/remove`, { schema: { params } }, async (request, reply) => {
    try {
      await core.sessions.RemovePasskey(request.params, personCall(request));
    } catch (error) {
      // An earlier press has removed it: the list shows that.
      return show(reply, options, { refusal: expectedError(error, ["not_found"]) });
    }
    return reply.redirect(`${PATH}?done=passkey-removed`, 303);
  });
}

async function show(
  reply: FastifyReply,
  options: GatewayOptions,
  news: SettingsNotice,
): Promise<FastifyReply> {
  const { person } = reply.request;
  const info = await readInfo(reply.request, options);
  const body = settingsBody(person, info, news);
  const status = news.refusal ? ERROR_TABLE[news.refusal.code].http : 200;
  return sendAccountPage(reply, { path: PATH, title: "Settings", body, status, scripts: ["passkeys.js"] });
}

async function readInfo(request: FastifyRequest, { core }: GatewayOptions) {
  const call = personCall(request);
  const [membership, balance, { keys }, { sessions }, change, { passkeys }, billing] = await Promise.all([
    core.memberships.GetMembership({}, call),
    core.credits.GetBalance({}, call),
    core.accounts.ListKeys({}, call),
    core.sessions.ListSessions({}, call),
    core.sessions.GetEmailChange({}, call),
    core.sessions.ListPasskeys({}, call),
    core.accounts.GetBilling({}, call),
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
    passkeys,
    browser: browserName((request.headers["user-agent"] ?? "").slice(0, 100)),
    billing,
  };
}
