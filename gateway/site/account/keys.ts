// /account/keys: the person's API keys with a page for each. The response that creates a key shows it once.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE, type ErrorCode, expectedError } from "../../../proto/codes.ts";
import { type ApiKeyResource, apiKeySchema } from "../../../proto/resources/api-key.ts";
import { modelSchema } from "../../../proto/resources/model.ts";
import type { ApiKey } from "../../../proto/types/atelier/v1/ApiKey.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { personCall } from "../session/current-person.ts";
import { type Form, formOf } from "../session/forms.ts";
import { newKeyNotice, sendNotice } from "../session/notices.ts";
import { signInAgain, signInForForm } from "../session/protect.ts";
import { sendAccountPage } from "./account-frame.ts";
import { budgetOf, budgetTerms, NO_BUDGET, readBudget } from "./budget-fields.ts";
import { keyPageBody, type KeyNotice, type TypedTerms } from "./key-view.ts";
import { type KeysNotice, keysBody, type NewKeyForm } from "./keys-view.ts";
import type { MadeKey } from "./made-key.ts";

const PATH = "/account/keys";
const ONE = `${PATH}/:key_id`;
const TITLE = "API keys";
/** Errors that the person can correct on this page. */
const TOLD_HERE: readonly ErrorCode[] = ["invalid_request", "key_limit_reached", "plan_excludes_api"];
const EMPTY_FORM: NewKeyForm = { name: "", scope: "read", expires: "", ...NO_BUDGET };

const text = z.string().catch("");
const shownQuery = z.object({ done: text });
const params = z.object({ key_id: z.string().max(64) });

export function keyPages(app: GatewayApp, options: GatewayOptions): void {
  app.get(PATH, { schema: { querystring: shownQuery } }, async (request, reply) => {
    // The form as it was before the person had to sign in again.
    const kept = app.sessions.keptForms.take(request, reply);
    return showKeys(reply, options, {
      ...(kept && { form: readForm(kept) }),
      ...(request.query.done === "revoked" && { news: { kind: "revoked" } }),
    });
  });

  app.post(PATH, { config: { keepsForm: true } }, (_request, reply) => createKey(reply, options));
  onePage(app, options);
}

function onePage(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;

  app.get(ONE, { schema: { params, querystring: shownQuery } }, (request, reply) => {
    // The form as it was before the person had to sign in again.
    const kept = app.sessions.keptForms.take(request, reply);
    const isSaved = request.query.done === "saved";
    return showKey(reply, options, request.params.key_id, {
      ...(kept?.get("name") && { typed: typedTerms(kept) }),
      ...(isSaved && { news: { kind: "saved" } }),
    });
  });

  app.post(ONE, { schema: { params }, config: { keepsForm: true } }, async (request, reply) => {
    const { key_id } = request.params;
    const sent = formOf(request);
    const typed = typedTerms(sent);
    const { name, budget } = typed;
    const change = sent.get("ask_again") === "" ? { name, ...budgetTerms(budget) } : { ask_again: true };
    try {
      await core.accounts.ChangeKey({ key_id, ...change }, personCall(request));
      return await reply.redirect(`${PATH}/${key_id}?done=saved`, 303);
    } catch (error) {
      return showKey(reply, options, key_id, {
        typed,
        news: { kind: "refused", error: expectedError(error, TOLD_HERE) },
      });
    }
  });

  app.post(`${ONE}/roll`, { schema: { params } }, (request, reply) =>
    rollKey(reply, options, request.params.key_id),
  );

  app.post(`${ONE}/revoke`, { schema: { params } }, async (request, reply) => {
    await core.accounts.RevokeKey(request.params, personCall(request));
    return reply.redirect(`${PATH}?done=revoked`, 303);
  });
}

function typedTerms(sent: Form): TypedTerms {
  return { name: sent.get("name"), budget: readBudget(sent) };
}

async function readKeys(request: FastifyRequest, { core }: GatewayOptions) {
  const call = personCall(request);
  const [{ keys }, { spending }] = await Promise.all([
    core.accounts.ListKeys({}, call),
    core.jobs.SumSpendingByKey({}, call),
  ]);
  return {
    keys: fromMessages(apiKeySchema, keys),
    spending: new Map(spending.map((each) => [each.key_id, each])),
    now: new Date(),
  };
}

async function showKeys(
  reply: FastifyReply,
  options: GatewayOptions,
  { status = 200, form = EMPTY_FORM, news }: { status?: number; form?: NewKeyForm; news?: KeysNotice },
): Promise<FastifyReply> {
  const { request } = reply;
  const [trial, facts] = await Promise.all([
    options.core.accounts.GetTrial({}, personCall(request)),
    readKeys(request, options),
  ]);
  const body = keysBody(request.person, { ...facts, trial, form, news });
  return sendAccountPage(reply, { path: PATH, title: TITLE, body, status });
}

async function showKey(
  reply: FastifyReply,
  options: GatewayOptions,
  keyId: string,
  { typed, news }: { typed?: TypedTerms; news?: KeyNotice },
): Promise<FastifyReply> {
  const { person } = reply.request;
  const { keys, spending, now } = await readKeys(reply.request, options);
  const key = keys.find(({ key_id }) => key_id === keyId);
  if (!key) throw new AppError("not_found");
  const replacement = keys.find(({ key_id }) => key_id === key.replaced_by);
  return sendAccountPage(reply, {
    path: PATH,
    title: key.name,
    body: keyPageBody(person, { key, replacement, spending: spending.get(keyId), typed, news, now }),
    status: news?.kind === "refused" ? ERROR_TABLE[news.error.code].http : 200,
  });
}

async function createKey(reply: FastifyReply, options: GatewayOptions): Promise<FastifyReply> {
  const { request } = reply;
  const form = readForm(formOf(request));
  if (!request.person.fresh) return signInForForm(request, reply);
  const { name, scope, expires } = form;
  try {
    const made = await options.core.accounts.CreateKey(
      // The key is valid until the end of that day.
      { name, scope, expires_at: expires ? `${expires}T23:59:59Z` : undefined, ...budgetOf(form) },
      personCall(request),
    );
    const news = await tellOfNew(request, options, { secret: made.secret, key: keyOf(made.key) });
    return await showKeys(reply, options, { status: 201, news: { kind: "created", made: news } });
  } catch (error) {
    const refusal = expectedError(error, TOLD_HERE);
    const status = ERROR_TABLE[refusal.code].http;
    return showKeys(reply, options, { status, form, news: { kind: "refused", error: refusal } });
  }
}

function readForm(sent: Form): NewKeyForm {
  return {
    name: sent.get("name"),
    scope: sent.get("scope"),
    expires: sent.get("expires"),
    ...readBudget(sent),
  };
}

async function rollKey(reply: FastifyReply, options: GatewayOptions, keyId: string): Promise<FastifyReply> {
  const { request } = reply;
  if (!request.person.fresh) return reply.redirect(signInAgain(`${PATH}/${keyId}`), 303);
  const overlap = formOf(request).get("overlap");
  try {
    const made = await options.core.accounts.RollKey({ key_id: keyId, overlap }, personCall(request));
    const old = keyOf(made.old);
    const news = await tellOfNew(request, options, { secret: made.secret, key: keyOf(made.key) });
    return await showKeys(reply, options, { status: 201, news: { kind: "rolled", made: news, old } });
  } catch (error) {
    const news = { kind: "refused", error: expectedError(error, TOLD_HERE) } as const;
    return showKey(reply, options, keyId, { news });
  }
}

/** Mails the person about the new key, and collects what the page shows about it. */
async function tellOfNew(
  request: FastifyRequest,
  { core, baseUrl, generationBaseUrl }: GatewayOptions,
  { secret, key }: { secret: string; key: ApiKeyResource },
): Promise<MadeKey> {
  sendNotice(request, request.person.email, newKeyNotice(request, key, baseUrl));
  const { models } = await core.models.ListModels({ modality: "image" }, personCall(request));
  return { secret, key, api: generationBaseUrl, model: fromMessages(modelSchema, models)[0] };
}

/** Reads the key from the response to a change, which always contains it. */
export function keyOf(message: ApiKey | null | undefined): ApiKeyResource {
  if (!message) throw new Error("core made a key and did not say which");
  return fromMessage(apiKeySchema, message);
}
