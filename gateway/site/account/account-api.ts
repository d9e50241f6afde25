// /account/api: what the account pages show and do, as JSON for their scripts. Session cookie; `x-csrf-token` on what changes.
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { apiKeySchema } from "../../../proto/resources/api-key.ts";
import { licenceSchema, membershipSchema } from "../../../proto/resources/membership.ts";
import { planSchema } from "../../../proto/resources/model.ts";
import { markCurrent } from "../../../proto/resources/session.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { toList, toResult } from "../../answers/result.ts";
import { personCall, requirePerson } from "../session/current-person.ts";
import { deletedNotice, newKeyNotice, sendNotice } from "../session/notices.ts";
import { protectJsonRoutes, requireFresh } from "../session/protect.ts";
import { forgetSession } from "../session/sign-out.ts";
import { sendExport } from "./send-export.ts";

/** How far a rotation of the callback secret is, without the secret. */
function secretState(state: { known: boolean; switches_at: string; previous_until: string }) {
  const { known, switches_at, previous_until } = state;
  return { known, switches_at: switches_at || null, previous_until: previous_until || null };
}

const keyParams = z.object({ key_id: z.string() });
/** Typed once more, to confirm. */
const deletion = z.strictObject({ email: z.string() });
const sessionParams = z.object({ session_id: z.string() });
/** Core says which names, scopes and times are good; here it is only their types. */
const newKey = z.strictObject({ name: z.string(), scope: z.string(), expires_at: z.string().optional() });

export async function accountApi(
  server: FastifyInstance,
  { core, config, limits, baseUrl }: GatewayOptions,
): Promise<void> {
  const app = server.withTypeProvider<ZodTypeProvider>();
  protectJsonRoutes(app, limits);

  app.get("/account/api/me", async (request, reply) => {
    const { accountId, email, name, plan, csrfToken } = await requirePerson(request, reply);
    return toResult({ account_id: accountId, email, name, plan, csrf_token: csrfToken });
  });

  app.get("/account/api/export", async (request, reply) =>
    sendExport(request, reply, await requirePerson(request, reply), { core, limits }),
  );

  app.post("/account/api/delete", { schema: { body: deletion } }, async (request, reply) => {
    const person = await requirePerson(request, reply);
    requireFresh(person);
    await core.accounts.DeleteAccount(request.body, personCall(person, request));
    sendNotice(request, person.email, deletedNotice());
    forgetSession(reply, person, config);
    return toResult({ account_id: person.accountId, deleted: true });
  });

  app.get("/account/api/keys", async (request, reply) => {
    const person = await requirePerson(request, reply);
    const { keys } = await core.accounts.ListKeys({}, personCall(person, request));
    return toList(fromMessages(apiKeySchema, keys));
  });

  app.post("/account/api/keys", { schema: { body: newKey } }, async (request, reply) => {
    const person = await requirePerson(request, reply);
    requireFresh(person);
    const { name, scope, expires_at } = request.body;
    const made = await core.accounts.CreateKey(
      { name, scope, ...(expires_at !== undefined && { expires_at }) },
      personCall(person, request),
    );
    if (!made.key) throw new Error("core made a key and did not say which");
    const key = fromMessage(apiKeySchema, made.key);
    sendNotice(request, person.email, newKeyNotice(request, key, baseUrl));
    return reply.code(201).send(toResult({ secret: made.secret, key }));
  });

  app.delete("/account/api/keys/:key_id", { schema: { params: keyParams } }, async (request, reply) => {
    const person = await requirePerson(request, reply);
    return toResult(
      fromMessage(apiKeySchema, await core.accounts.RevokeKey(request.params, personCall(person, request))),
    );
  });

  app.get("/account/api/callback-secret", async (request, reply) => {
    const person = await requirePerson(request, reply);
    return toResult(secretState(await core.accounts.GetCallbackSecretState({}, personCall(person, request))));
  });

  app.post("/account/api/callback-secret", { config: { bodyOptional: true } }, async (request, reply) => {
    const person = await requirePerson(request, reply);
    const made = await core.accounts.RotateCallbackSecret({}, personCall(person, request));
    return reply.code(201).send(toResult({ secret: made.secret, ...secretState({ known: true, ...made }) }));
  });

  app.post(
    "/account/api/callback-secret/switch",
    { config: { bodyOptional: true } },
    async (request, reply) => {
      const person = await requirePerson(request, reply);
      return toResult(secretState(await core.accounts.SwitchCallbackSecret({}, personCall(person, request))));
    },
  );

  app.get("/account/api/sessions", async (request, reply) => {
    const person = await requirePerson(request, reply);
    const { sessions } = await core.sessions.ListSessions({}, personCall(person, request));
    return toList(sessions.map((session) => markCurrent(session, person.sessionId)));
  });

  app.delete(
    "/account/api/sessions/:session_id",
    { schema: { params: sessionParams } },
    async (request, reply) => {
      const person = await requirePerson(request, reply);
      const revoked = await core.sessions.RevokeSession(request.params, personCall(person, request));
      return toResult(markCurrent(revoked, person.sessionId));
    },
  );

  app.post(
    "/account/api/sessions/revoke-others",
    { config: { bodyOptional: true } },
    async (request, reply) => {
      const person = await requirePerson(request, reply);
      const { revoked } = await core.sessions.RevokeOtherSessions(
        { keep_session_id: person.sessionId },
        personCall(person, request),
      );
      return toResult({ revoked });
    },
  );

  app.get("/account/api/membership", async (request, reply) => {
    const person = await requirePerson(request, reply);
    return toResult(
      fromMessage(membershipSchema, await core.memberships.GetMembership({}, personCall(person, request))),
    );
  });

  app.get(
    "/account/api/licences",
    { schema: { querystring: z.object(pageQuery) } },
    async (request, reply) => {
      const person = await requirePerson(request, reply);
      const { limit, cursor = "" } = request.query;
      const page = await core.memberships.ListLicences({ limit, cursor }, personCall(person, request));
      return toList(fromMessages(licenceSchema, page.licences), page.next_cursor);
    },
  );

  app.get("/account/api/plan", async (request, reply) => {
    const person = await requirePerson(request, reply);
    const { plans } = await core.models.ListPlans({}, personCall(person, request));
    return toResult({ current: person.plan, plans: fromMessages(planSchema, plans) });
  });
}
