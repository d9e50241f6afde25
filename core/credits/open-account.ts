// Makes an account with the first monthly credits of its plan, in one transaction. Every new account is made here.
import { createAccount } from "../accounts/create-account.ts";
import type { NewAccount } from "../accounts/rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { App } from "../app.ts";
import { beginPeriods } from "./period-rules.ts";
import { insertEntries } from "./store.ts";

/** Throws what createAccount throws. */
export async function openAccount(app: App, wanted: NewAccount): Promise<AccountDoc> {
  return createAccount(app, wanted, (bare) => {
    const { account, entries } = beginPeriods(bare);
    return { account, insert: (session) => insertEntries(app.mongo.db, entries, session) };
  });
}
