// The account for an e-mail address that has just been proven, created if there is none.
import type { App } from "../../kernel/app.ts";
import { FREE_PLAN, type NewAccount, normaliseEmail } from "./rules.ts";
import { type AccountDoc, findAccounts } from "./store.ts";
import { findAccountIdByEmail } from "./store-emails.ts";

/**
 * `create` makes the account; the name is only used for that. Throws invalid_request for a bad address or name. Several calls at the same
 * time end up with one account.
 */
export async function findOrCreateAccount(
  app: App,
  create: (app: App, wanted: NewAccount) => Promise<AccountDoc>,
  { email, name }: Pick<NewAccount, "email" | "name">,
): Promise<AccountDoc> {
  const known = await findByEmail(app, email);
  if (known) return known;
  try {
    return await create(app, { email, name, plan: FREE_PLAN });
  } catch (error) {
    // Someone with the same address may have been faster.
    const winner = await findByEmail(app, email);
    if (winner) return winner;
    throw error;
  }
}

async function findByEmail(app: App, email: string): Promise<AccountDoc | undefined> {
  const { db } = app.mongo;
  const id = await findAccountIdByEmail(db, normaliseEmail(email));
  return id === undefined ? undefined : (await findAccounts(db, [id])).get(id);
}
