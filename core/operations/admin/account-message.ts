// An account as operators see it.
import { toMessage } from "../../../proto/codec.ts";
import { balanceSchema } from "../../../proto/resources/credits.ts";
import type { AccountInput } from "../../../proto/types/atelier/v1/Account.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { toBalance } from "../../identity/credits/rules.ts";

export function accountMessage(account: AccountDoc): AccountInput {
  return {
    account_id: account._id,
    email: account.email,
    name: account.name,
    plan: account.plan,
    status: account.status,
    credits: toMessage(balanceSchema, toBalance(account)),
    welcome_credits: account.welcome ?? "",
    ...(account.trial && { trial_until: account.trial.until.toISOString() }),
    created_at: account.created_at.toISOString(),
  };
}
