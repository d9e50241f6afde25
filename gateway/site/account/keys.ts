// /account/keys: the person's API keys. A new one is shown in the answer that makes it, and never again.
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { CoreClient } from "../../../proto/client.ts";
import { AppError, ERROR_TABLE, type ErrorCode } from "../../../proto/codes.ts";
import { apiKeySchema } from "../../../proto/resources/api-key.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { formOf } from "../session/forms.ts";
import { personCall } from "../session/current-person.ts";
import { newKeyNotice, sendNotice } from "../session/notices.ts";
import { signInAgain } from "../session/protect.ts";
import { sendAccountPage } from "./account-frame.ts";
import { type KeysNews, keysBody, type NewKeyForm } from "./keys-view.ts";

const PATH = "/account/keys";
/** What the person can put right on this very page. */
const TOLD_HERE: readonly ErrorCode[] = ["invalid_request", "key_limit_reached", "plan_excludes_api"];
const EMPTY_FORM: NewKeyForm = { name: "", scope: "read", expires: "", max_credits: "" };

const text = z.string().catch("");
const shownQuery = z.object({ done: text, name: text, scope: text, expires: text, max_credits: text });

export function keyPages(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;

  app.get(PATH, { schema: { querystring: shownQuery } }, async (request, reply) => {
    const { done, name, expires, scope, max_credits } = request.query;
    return showKeys(reply, core, {
      // As it was before the person had to sign in again.
      form: { name, expires, scope: scope || EMPTY_FORM.scope, max_credits },
      ...(done === "revoked" && { news: { kind: "revoked" } }),
    });
  });

  app.post(PATH, (_request, reply) => createKey(reply, options));

  const params = z.object({ key_id: z.string() });
  app.post(`${PATH}/:key_id/revoke`, { schema: { params } }, async (request, reply) => {
    await core.accounts.RevokeKey(request.params, personCall(request));
    return reply.redirect(`${PATH}?done=revoked`, 303);
  });
}

async function showKeys(
  reply: FastifyReply,
  core: CoreClient,
  { status = 200, form = EMPTY_FORM, news }: { status?: number; form?: NewKeyForm; news?: KeysNews },
): Promise<FastifyReply> {
  const { person } = reply.request;
  const call = personCall(reply.request);
  const [{ keys }, { plans }] = await Promise.all([
    core.accounts.ListKeys({}, call),
    core.models.ListPlans({}, call),
  ]);
  const body = keysBody(person, {
    keys: fromMessages(apiKeySchema, keys),
    mayCreate: plans.some(({ plan, api }) => plan === person.plan && api),
    form,
    news,
    now: new Date(),
  });
  return sendAccountPage(reply, { path: PATH, title: "API keys", body, status });
}

async function createKey(reply: FastifyReply, { core, baseUrl }: GatewayOptions): Promise<FastifyReply> {
  const { request } = reply;
  const { person } = request;
  const sent = formOf(request);
  const form = {
    name: sent.get("name"),
    scope: sent.get("scope"),
    expires: sent.get("expires"),
    max_credits: sent.get("max_credits"),
  };
  if (!person.fresh)
    return reply.redirect(signInAgain(`${PATH}?${new URLSearchParams(form).toString()}`), 303);
  const { name, scope, expires, max_credits: most } = form;
  try {
    const { secret, key } = await core.accounts.CreateKey(
      // Good until the end of that day.
      {
        name,
        scope,
        ...(expires && { expires_at: `${expires}T23:59:59Z` }),
        // Core says what is no limit.
        ...(most && { max_credits: /^\d{1,12}$/.test(most) ? Number(most) : 0 }),
      },
      personCall(request),
    );
    if (key)
      sendNotice(request, person.email, newKeyNotice(request, fromMessage(apiKeySchema, key), baseUrl));
    return await showKeys(reply, core, { status: 201, news: { kind: "created", secret } });
  } catch (error) {
    if (!(error instanceof AppError) || !TOLD_HERE.includes(error.code)) throw error;
    const status = ERROR_TABLE[error.code].http;
    return showKeys(reply, core, { status, form, news: { kind: "refused", error } });
  }
}
