// Service Accounts: decodes, calls the verb, encodes.
import { z } from "zod";
import { toMessage, toMessages } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { apiKeySchema } from "../../proto/resources/api-key.ts";
import type { AccountsDefinition } from "../../proto/types/atelier/v1/Accounts.ts";
import type { CreateKeyRequest } from "../../proto/types/atelier/v1/CreateKeyRequest.ts";
import { logSecurity } from "../../runtime/ops/security-log.ts";
import type { App } from "../app.ts";
import { factsOf, type Handlers } from "../rpc.ts";
import { authenticate } from "./authenticate.ts";
import { createKey } from "./create-key.ts";
import { listKeys } from "./list-keys.ts";
import { toApiKey } from "./resource.ts";
import { revokeKey } from "./revoke-key.ts";
import { isKeyScope, type NewKey } from "./rules.ts";
import { signedInAccount } from "./signed-in-account.ts";

const rfc3339 = z.iso.datetime({ offset: true });

/** All but those of core/callbacks, core/credits and core/privacy. */
export function accountsHandlers(
  app: App,
): Pick<Handlers<AccountsDefinition>, "Authenticate" | "CreateKey" | "ListKeys" | "RevokeKey"> {
  return {
    async Authenticate({ required_scope }, { caller }) {
      if (!isKeyScope(required_scope)) {
        throw new AppError("invalid_request", {
          issues: [{ path: "required_scope", message: "must be read or write" }],
        });
      }
      const { account, plan, keyId, scope } = await authenticate(app, caller, required_scope);
      return { account_id: account._id, key_id: keyId ?? "", scope, plan: plan._id };
    },

    async CreateKey(request, call) {
      const accountId = await signedInAccount(app, call.caller);
      const { secret, key } = await createKey(app, accountId, decodeNewKey(request));
      logSecurity(app.log, "key_made", { ...factsOf(call), account_id: accountId, key_id: key.key_id });
      return { secret, key: toMessage(apiKeySchema, toApiKey(key, app.clock.now())) };
    },

    async ListKeys(_request, { caller }) {
      const keys = await listKeys(app, await signedInAccount(app, caller));
      const now = app.clock.now();
      return {
        keys: toMessages(
          apiKeySchema,
          keys.map((key) => toApiKey(key, now)),
        ),
      };
    },

    async RevokeKey({ key_id }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const revoked = await revokeKey(app, accountId, key_id);
      logSecurity(app.log, "key_revoked", { ...factsOf(call), account_id: accountId, key_id });
      return toMessage(apiKeySchema, toApiKey(revoked, app.clock.now()));
    },
  };
}

export function decodeNewKey({ name, scope, expires_at, max_credits }: CreateKeyRequest): NewKey {
  return { name, scope, expiresAt: expires_at ? decodeTime(expires_at) : null, maxCredits: max_credits };
}

/** A time that cannot be read becomes an Invalid Date, which rules refuse together with the other faults of a request. */
export function decodeTime(text: string): Date {
  return new Date(rfc3339.safeParse(text).success ? text : Number.NaN);
}
