// An account as operators see it.
import type { AccountInput } from "../../proto/types/atelier/v1/Account.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { balanceMessage } from "../credits/rpc.ts";

export function encodeAccount(account: AccountDoc): AccountInput {
  return {
    account_id: account._id,
    email: account.email,
    name: account.name,
    plan: account.plan,
    status: account.status,
    credits: balanceMessage(account),
    created_at: account.created_at.toISOString(),
  };
}
