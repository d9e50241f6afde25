// Most of /account/api: what the account pages show and do, as JSON for their scripts. Session cookie; `x-csrf-token` on what changes.
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { z } from "zod";
import { licenceSchema, membershipSchema } from "../../../proto/resources/membership.ts";
import { planSchema } from "../../../proto/resources/model.ts";
import { markCurrent } from "../../../proto/resources/session.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { toList, toResult } from "../../answers/result.ts";
import { personCall } from "../session/current-person.ts";
import { deletedNotice, sendNotice } from "../session/notices.ts";
import { requireFresh } from "../session/protect.ts";
import { forgetSession } from "../session/sign-out.ts";
import { askForEmail } from "./change-email.ts";
import { keyJson } from "./key-api.ts";
import { sendExport } from "./send-export.ts";

/** How far a rotation of the callback secret is, without the secret. */
function secretState(state: { known: boolean; switches_at: string; previous_until: string }) {
  const { known, switches_at, previous_until } = state;
  return { known, switches_at: switches_at || null, previous_until: previous_until || null };
}

const profile = z.strictObject({ name: z.string() });
const wantedEmail = z.strictObject({ email: z.string() });
/** Typed once more, to confirm. */
const deletion = z.strictObject({ email: z.string() });
const sessionParams = z.object({ session_id: z.string() });
export function accountApi(app: GatewayApp, options: GatewayOptions): void {
  personJson(app, options);
  keyJson(app, options);
  callbackSecretJson(app, options);
  sessionJson(app, options);
  membershipJson(app, options);
}

function personJson(app: GatewayApp, options: GatewayOptions): void {
  const { core, config, limits } = options;
  app.get("/account/api/me", async ({ person }) => {
    const { accountId, email, name, plan, csrfToken, creditsAvailable } = person;
    return toResult({
      account_id: accountId,
      email,
      name,
      plan,
      csrf_token: csrfToken,
      credits_available: creditsAvailable,
    });
  });

  app.patch("/account/api/me", { schema: { body: profile } }, async (request) =>
    toResult(await core.accounts.ChangeName(request.body, personCall(request))),
  );

  app.post("/account/api/email", { schema: { body: wantedEmail } }, async (request, reply) => {
    requireFresh(request.person);
    const email = await askForEmail(request, options, request.body.email);
    return reply.code(202).send(toResult({ mailed_to: email }));
  });

  app.get("/account/api/export", (request, reply) => sendExport(request, reply, { core, limits }));

  app.post("/account/api/delete", { schema: { body: deletion } }, async (request, reply) => {
    const { person } = request;
    requireFresh(person);
    await core.accounts.DeleteAccount(request.body, personCall(request));
    sendNotice(request, person.email, deletedNotice());
    forgetSession(reply, person, config);
    return toResult({ account_id: person.accountId, deleted: true });
  });
}

function callbackSecretJson(app: GatewayApp, { core }: GatewayOptions): void {
  const path = "/account/api/callback-secret";
  const bodiless = { config: { bodyOptional: true } };

  app.get(path, async (request) =>
    toResult(secretState(await core.accounts.GetCallbackSecretState({}, personCall(request)))),
  );

  app.post(path, bodiless, async (request, reply) => {
    const made = await core.accounts.RotateCallbackSecret({}, personCall(request));
    return reply.code(201).send(toResult({ secret: made.secret, ...secretState({ known: true, ...made }) }));
  });

  app.post(`${path}/switch`, bodiless, async (request) =>
    toResult(secretState(await core.accounts.SwitchCallbackSecret({}, personCall(request)))),
  );
}

function sessionJson(app: GatewayApp, { core }: GatewayOptions): void {
  const path = "/account/api/sessions";

  app.get(path, async (request) => {
    const { sessions } = await core.sessions.ListSessions({}, personCall(request));
    return toList(sessions.map((session) => markCurrent(session, request.person.sessionId)));
  });

  app.delete(`${path}/:session_id`, { schema: { params: sessionParams } }, async (request) => {
    const revoked = await core.sessions.RevokeSession(request.params, personCall(request));
    return toResult(markCurrent(revoked, request.person.sessionId));
  });

  app.post(`${path}/revoke-others`, { config: { bodyOptional: true } }, async (request) => {
    const { sessionId } = request.person;
    const { revoked } = await core.sessions.RevokeOtherSessions(
      { keep_session_id: sessionId },
      personCall(request),
    );
    return toResult({ revoked });
  });
}

function membershipJson(app: GatewayApp, { core }: GatewayOptions): void {
  app.get("/account/api/membership", async (request) =>
    toResult(fromMessage(membershipSchema, await core.memberships.GetMembership({}, personCall(request)))),
  );

  const licencesQuery = z.object(pageQuery);
  app.get("/account/api/licences", { schema: { querystring: licencesQuery } }, async (request) => {
    const { limit, cursor = "" } = request.query;
    const page = await core.memberships.ListLicences({ limit, cursor }, personCall(request));
    return toList(fromMessages(licenceSchema, page.licences), page.next_cursor);
  });

  app.get("/account/api/plan", async (request) => {
    const { plans } = await core.models.ListPlans({}, personCall(request));
    return toResult({ current: request.person.plan, plans: fromMessages(planSchema, plans) });
  });
}
