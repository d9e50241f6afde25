// Makes an account, whose e-mail address belongs to it alone, or finds the one of an address that has just been proven.
import { invalidField } from "../../../proto/codes.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { LoadedAccount } from "./load.ts";
import { FREE_PLAN, type NewAccount, newAccount, normaliseEmail } from "./rules.ts";
import { findAccountIdByEmail } from "./store-emails.ts";
import { findPlans } from "./store-plans.ts";
import { type AccountDoc, findAccounts, insertAccount } from "./store.ts";

/** Returns the initial state of a new account, and writes its other documents; may run more than once, like its transaction. */
export type Begin = (bare: LoadedAccount, tx: TxContext) => Promise<AccountDoc>;

/**
 * Returns the new account, as changed by `begin`; without `begin` it owns nothing. core/identity/credits creates users' accounts with
 * openAccount. Throws invalid_request for a bad or taken e-mail address, a bad name, an unknown plan, and what `begin` throws.
 */
export async function createAccount(
  app: App,
  wanted: NewAccount,
  begin: Begin = async ({ account }) => account,
): Promise<AccountDoc> {
  const { db } = app.mongo;
  const plans = await findPlans(db);
  const now = app.clock.now();
  const bare: AccountDoc = { ...newAccount(app.newId("acc"), wanted, plans, now), ledger_version: 2 };
  const plan = plans.get(bare.plan);
  if (!plan) throw new Error(`a new account has the unknown plan ${bare.plan}`);
  try {
    return await inTx({ mongo: app.mongo, now }, async (tx) => {
      const account = await begin({ account: bare, plan }, tx);
      await insertAccount(db, account, tx);
      return account;
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw invalidField("email", "belongs to another account already");
  }
}

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
