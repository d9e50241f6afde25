// The account of a person who signs in; opened for an address that has none, as far as the limits on new accounts allow.
import { AppError } from "../../../proto/codes.ts";
import { addressSubject, networkSubject } from "../../../runtime/networks.ts";
import type { App } from "../../kernel/app.ts";
import { findOrCreateAccount } from "../accounts/create-account.ts";
import type { NewAccount } from "../accounts/rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { openAccount } from "../credits/open-account.ts";
import { countOnce } from "./create-link.ts";
import { accountQuotas } from "./rules.ts";

const RETRY_SECONDS = 3_600;

/** `address`: of the client; empty is not counted. Throws invalid_request, and rate_limited above the limit of new accounts. */
export async function findOrOpenAccount(
  app: App,
  wanted: Pick<NewAccount, "email" | "name">,
  address: string,
): Promise<AccountDoc> {
  const { rateLimits, holdWelcomeCredits: hold, newAccountsPerAddress, newAccountsPerNetwork } = app.config;
  const subjects = [
    { id: `accounts:address:${addressSubject(address)}`, quotas: accountQuotas(newAccountsPerAddress) },
    { id: `accounts:network:${networkSubject(address)}`, quotas: accountQuotas(newAccountsPerNetwork) },
  ];
  const open = (_app: App, account: NewAccount) =>
    openAccount(app, account, {
      hold,
      admit: async (tx) => {
        if (!rateLimits || address === "" || (await countOnce(app, subjects, tx))) return;
        throw new AppError("rate_limited", {
          message: "Too many new accounts were made from this network today.",
          hint: "Sign in with an address that has an account, or try again tomorrow.",
          retryAfterSeconds: RETRY_SECONDS,
        });
      },
    });
  return findOrCreateAccount(app, open, wanted);
}
