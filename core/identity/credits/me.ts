// The caller's account, its key, and the key's current rights.
import type { Caller } from "../../../proto/caller.ts";
import { toMessage } from "../../../proto/codec.ts";
import { type MeResource, meSchema } from "../../../proto/resources/me.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { authenticate } from "../accounts/authenticate.ts";
import { toApiKey, toPlan } from "../accounts/resource.ts";
import { availableCredits, expireDue } from "./rules.ts";

async function describeCaller(app: App, caller: Caller): Promise<MeResource> {
  const { account, plan, key } = await authenticate(app, caller, "read");
  const now = app.clock.now();
  return {
    account_id: account._id,
    plan: toPlan(plan),
    key: key && toApiKey(key, now),
    credits_available: availableCredits(expireDue(account, now)?.head ?? account),
    jobs: { waiting: account.waiting, running: account.running },
  };
}

/** A method of the service Accounts; it is here because it reads the credits too. */
export function meHandlers(app: App): Pick<Handlers<AccountsDefinition>, "GetMe"> {
  return { GetMe: async (_request, { caller }) => toMessage(meSchema, await describeCaller(app, caller)) };
}
