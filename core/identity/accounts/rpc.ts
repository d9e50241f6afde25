// Service Accounts: decodes, calls the verb, encodes.
import { z } from "zod";
import { toMessage } from "../../../proto/codec.ts";
import { invalidField } from "../../../proto/codes.ts";
import { apiKeySchema } from "../../../proto/resources/api-key.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import type { ApiKeyInput } from "../../../proto/types/atelier/v1/ApiKey.ts";
import type { CreateKeyRequest } from "../../../proto/types/atelier/v1/CreateKeyRequest.ts";
import type { KeyCaps as KeyCapsMessage } from "../../../proto/types/atelier/v1/KeyCaps.ts";
import type { TrialInput } from "../../../proto/types/atelier/v1/Trial.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import type { App } from "../../kernel/app.ts";
import { factsOf, type Handlers } from "../../kernel/rpc.ts";
import { authenticate } from "./authenticate.ts";
import { changeKey, revokeKey, rollKey } from "./change-key.ts";
import { changeBilling, changeName, setTimeZone } from "./change-settings.ts";
import { createKey } from "./create-key.ts";
import { getAccount } from "./get-account.ts";
import { listKeys } from "./list-keys.ts";
import { toApiKey } from "./resource.ts";
import { isKeyScope, type KeyCaps, type NewKey } from "./rules.ts";
import { signedInAccount } from "./signed-in-account.ts";
import { describeTrial, startTrial } from "./start-trial.ts";
import type { KeyDoc } from "./store.ts";

const rfc3339 = z.iso.datetime({ offset: true });

/** All handlers of the service except those of webhooks, jobs, approvals, credits, the inbox and privacy. */
export function accountsHandlers(app: App) {
  return {
    ...keyHandlers(app),

    async Authenticate({ required_scope }, { caller }) {
      if (!isKeyScope(required_scope)) {
        throw invalidField("required_scope", "must be read or write");
      }
      const { account, plan, key, scope } = await authenticate(app, caller, required_scope);
      return { account_id: account._id, key_id: key?.key_id ?? "", scope, plan: plan._id };
    },

    async ChangeName({ name }, { caller }) {
      return { name: await changeName(app, await signedInAccount(app, caller), name) };
    },

    async GetBilling(_request, { caller }) {
      const { billing } = await getAccount(app, await signedInAccount(app, caller));
      return billing ?? { name: "", address: "", tax_id: "" };
    },

    async ChangeBilling(wanted, { caller }) {
      return changeBilling(app, await signedInAccount(app, caller), wanted);
    },

    GetTrial: async (_request, { caller }) => trialMessage(app, await signedInAccount(app, caller)),

    async StartTrial(_request, { caller }) {
      const { _id: accountId } = await startTrial(app, await signedInAccount(app, caller));
      return trialMessage(app, accountId);
    },

    async SetTimeZone({ time_zone }, { caller }) {
      await setTimeZone(app, await signedInAccount(app, caller), time_zone);
      return {};
    },
  } satisfies Partial<Handlers<AccountsDefinition>>;
}

async function trialMessage(app: App, accountId: string): Promise<TrialInput> {
  const { state, plan, trial } = await describeTrial(app, accountId);
  return {
    state,
    plan_name: plan?.name ?? "",
    until: trial?.until.toISOString(),
  };
}

export function keyMessage(app: Pick<App, "clock">, key: KeyDoc): ApiKeyInput {
  return toMessage<typeof apiKeySchema, ApiKeyInput>(apiKeySchema, toApiKey(key, app.clock.now()));
}

function keyHandlers(app: App) {
  const message = (key: KeyDoc) => keyMessage(app, key);
  return {
    async CreateKey(request, call) {
      const accountId = await signedInAccount(app, call.caller);
      const { secret, key } = await createKey(app, accountId, decodeNewKey(request));
      logSecurity(app.log, "key_made", { ...factsOf(call), account_id: accountId, key_id: key.key_id });
      return { secret, key: message(key) };
    },

    async ListKeys(_request, { caller }) {
      return { keys: (await listKeys(app, await signedInAccount(app, caller))).map(message) };
    },

    async ChangeKey({ key_id, name, max_credits, no_limit, caps, ...request }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const { confirm_above, no_confirmation, ask_again: askAgain } = request;
      const maxCredits = no_limit ? null : max_credits;
      const confirmAbove = no_confirmation ? null : confirm_above;
      const change = { name, maxCredits, confirmAbove, askAgain, ...(caps && { caps: decodeCaps(caps) }) };
      const changed = await changeKey(app, { accountId, keyId: key_id }, change);
      logSecurity(app.log, "key_changed", { ...factsOf(call), account_id: accountId, key_id });
      return message(changed);
    },

    async RollKey({ key_id, overlap }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const { secret, key, old } = await rollKey(app, { accountId, keyId: key_id }, overlap);
      const facts = { ...factsOf(call), account_id: accountId };
      logSecurity(app.log, "key_made", { ...facts, key_id: key.key_id });
      logSecurity(app.log, "key_replaced", { ...facts, key_id });
      return { secret, key: message(key), old: message(old) };
    },

    async RevokeKey({ key_id }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const revoked = await revokeKey(app, accountId, key_id);
      logSecurity(app.log, "key_revoked", { ...factsOf(call), account_id: accountId, key_id });
      return message(revoked);
    },
  } satisfies Partial<Handlers<AccountsDefinition>>;
}

export function decodeNewKey(wanted: CreateKeyRequest): NewKey {
  const { name, scope, expires_at, max_credits: maxCredits, caps, confirm_above: confirmAbove } = wanted;
  const expiresAt = expires_at ? decodeTime(expires_at) : null;
  return { name, scope, expiresAt, maxCredits, ...(caps && { caps: decodeCaps(caps) }), confirmAbove };
}

function decodeCaps({ day, week, total }: KeyCapsMessage): KeyCaps {
  return {
    ...(day !== undefined && { day }),
    ...(week !== undefined && { week }),
    ...(total !== undefined && { total }),
  };
}

/** A time that cannot be read becomes an Invalid Date, which the rules refuse together with the request's other faults. */
export function decodeTime(text: string): Date {
  return new Date(rfc3339.safeParse(text).success ? text : Number.NaN);
}
