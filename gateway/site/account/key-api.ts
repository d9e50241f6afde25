// The keys of a person as JSON, under /account/api/keys.
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { apiKeySchema } from "../../../proto/resources/api-key.ts";
import type { ApiKey } from "../../../proto/types/atelier/v1/ApiKey.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { toList, toResult } from "../../answers/result.ts";
import { personCall } from "../session/current-person.ts";
import { newKeyNotice, sendNotice } from "../session/notices.ts";
import { requireFresh } from "../session/protect.ts";

const PATH = "/account/api/keys";
const params = z.object({ key_id: z.string() });
/** Core decides which names, scopes and times are valid; only types are checked here. */
const newKey = z.strictObject({
  name: z.string(),
  scope: z.string(),
  expires_at: z.string().optional(),
  max_credits: z.number().optional(),
  confirm_above: z.number().optional(),
});
/** null takes a limit away. */
const change = z.strictObject({
  name: z.string().optional(),
  max_credits: z.number().nullable().optional(),
  confirm_above: z.number().nullable().optional(),
});
const roll = z.strictObject({ overlap: z.string().default("24h") });

export function keyJson(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;

  app.get(PATH, async (request) => {
    const { keys } = await core.accounts.ListKeys({}, personCall(request));
    return toList(fromMessages(apiKeySchema, keys));
  });

  app.get(`${PATH}/spending`, async (request) => {
    const { spending } = await core.jobs.SumSpendingByKey({}, personCall(request));
    return toList(spending);
  });

  app.patch(`${PATH}/:key_id`, { schema: { params, body: change } }, async (request) => {
    const { name, max_credits, confirm_above } = request.body;
    const changed = await core.accounts.ChangeKey(
      {
        ...request.params,
        ...(name !== undefined && { name }),
        ...(max_credits === null ? { no_limit: true } : max_credits !== undefined && { max_credits }),
        ...(confirm_above === null
          ? { no_confirmation: true }
          : confirm_above !== undefined && { confirm_above }),
      },
      personCall(request),
    );
    return toResult(fromMessage(apiKeySchema, changed));
  });

  app.delete(`${PATH}/:key_id`, { schema: { params } }, async (request) => {
    const revoked = await core.accounts.RevokeKey(request.params, personCall(request));
    return toResult(fromMessage(apiKeySchema, revoked));
  });

  makeJson(app, options);
}

function makeJson(app: GatewayApp, { core, baseUrl }: GatewayOptions): void {
  app.post(PATH, { schema: { body: newKey } }, async (request, reply) => {
    const { person } = request;
    requireFresh(person);
    const { name, scope, expires_at, max_credits, confirm_above } = request.body;
    const made = await core.accounts.CreateKey(
      {
        name,
        scope,
        ...(expires_at !== undefined && { expires_at }),
        ...(max_credits !== undefined && { max_credits }),
        ...(confirm_above !== undefined && { confirm_above }),
      },
      personCall(request),
    );
    const key = keyOf(made.key);
    sendNotice(request, person.email, newKeyNotice(request, key, baseUrl));
    return reply.code(201).send(toResult({ secret: made.secret, key }));
  });

  app.post(`${PATH}/:key_id/roll`, { schema: { params, body: roll } }, async (request, reply) => {
    const { person } = request;
    requireFresh(person);
    const made = await core.accounts.RollKey({ ...request.params, ...request.body }, personCall(request));
    const key = keyOf(made.key);
    sendNotice(request, person.email, newKeyNotice(request, key, baseUrl));
    return reply.code(201).send(toResult({ secret: made.secret, key, old: keyOf(made.old) }));
  });
}

/** Of an answer to a change, which always has it. */
export function keyOf(message: ApiKey | null | undefined) {
  if (!message) throw new Error("core made a key and did not say which");
  return fromMessage(apiKeySchema, message);
}
