// /account/keys: the person's API keys. A new one is shown in the answer that makes it, and never again.
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { AppError, ERROR_TABLE, type ErrorCode } from "../../../proto/codes.ts";
import { apiKeySchema } from "../../../proto/resources/api-key.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { formOf } from "../session/forms.ts";
import { type Person, personCall, requirePerson } from "../session/current-person.ts";
import { newKeyNotice, sendNotice } from "../session/notices.ts";
import { requireFormSender, signInAgain } from "../session/protect.ts";
import { sendAccountPage } from "./account-frame.ts";
import { type KeysNews, keysBody, type NewKeyForm } from "./keys-view.ts";

const PATH = "/account/keys";
/** What the person can put right on this very page. */
const TOLD_HERE: readonly ErrorCode[] = ["invalid_request", "key_limit_reached", "plan_excludes_api"];
const EMPTY_FORM: NewKeyForm = { name: "", scope: "read", expires: "" };

const text = z.string().catch("");

export function keyPages(server: FastifyInstance, { core, limits, baseUrl }: GatewayOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>();

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    { status = 200, form = EMPTY_FORM, news }: { status?: number; form?: NewKeyForm; news?: KeysNews },
  ): Promise<FastifyReply> {
    const call = personCall(person, request);
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
    return sendAccountPage(reply, person, { path: PATH, title: "API keys", body, status });
  }

  app.get(
    PATH,
    { schema: { querystring: z.object({ done: text, name: text, scope: text, expires: text }) } },
    async (request, reply) => {
      const person = await requirePerson(request, reply);
      const { done, name, expires, scope } = request.query;
      return show(request, reply, person, {
        // As it was before the person had to sign in again.
        form: { name, expires, scope: scope || EMPTY_FORM.scope },
        ...(done === "revoked" && { news: { kind: "revoked" } }),
      });
    },
  );

  app.post(PATH, async (request, reply) => {
    const person = await requireFormSender(request, reply, limits);
    const sent = formOf(request);
    const form = { name: sent.get("name"), scope: sent.get("scope"), expires: sent.get("expires") };
    if (!person.fresh)
      return reply.redirect(signInAgain(`${PATH}?${new URLSearchParams(form).toString()}`), 303);
    try {
      const { secret, key } = await core.accounts.CreateKey(
        // Good until the end of that day.
        {
          name: form.name,
          scope: form.scope,
          ...(form.expires && { expires_at: `${form.expires}T23:59:59Z` }),
        },
        personCall(person, request),
      );
      if (key)
        sendNotice(request, person.email, newKeyNotice(request, fromMessage(apiKeySchema, key), baseUrl));
      return await show(request, reply, person, { status: 201, news: { kind: "created", secret } });
    } catch (error) {
      if (!(error instanceof AppError) || !TOLD_HERE.includes(error.code)) throw error;
      return show(request, reply, person, {
        status: ERROR_TABLE[error.code].http,
        form,
        news: { kind: "refused", error },
      });
    }
  });

  app.post(
    `${PATH}/:key_id/revoke`,
    { schema: { params: z.object({ key_id: z.string() }) } },
    async (request, reply) => {
      const person = await requireFormSender(request, reply, limits);
      await core.accounts.RevokeKey({ key_id: request.params.key_id }, personCall(person, request));
      return reply.redirect(`${PATH}?done=revoked`, 303);
    },
  );
}
