// The account of an e-mail address that has just been proven, made on the spot when there is none.
import type { App } from "../app.ts";
import { createAccount } from "./create-account.ts";
import { normaliseEmail } from "./rules.ts";
import { type AccountDoc, findAccountIdByEmail, findAccounts } from "./store.ts";

const FIRST_PLAN = "free";

/** `name` is for a new account only. Throws invalid_request for a bad address or name; many at once end up with one account. */
export async function findOrCreateAccount(app: App, email: string, name: string): Promise<AccountDoc> {
  const known = await findByEmail(app, email);
  if (known) return known;
  try {
    return await createAccount(app, { email, name, plan: FIRST_PLAN });
  } catch (error) {
    // Somebody with the same address may have been faster.
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
