// Makes an account. Its e-mail address belongs to it alone.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import { entryVersions } from "../../base/migrations/0011-entry-versions.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { LoadedAccount } from "./load.ts";
import { type NewAccount, newAccount } from "./rules.ts";
import { type AccountDoc, insertAccount } from "./store.ts";
import { findPlans } from "./store-plans.ts";

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
  const bare: AccountDoc = {
    ...newAccount(app.newId("acc"), wanted, plans, now),
    ...((await app.oldestCode()) >= entryVersions.version && { ledger_version: 2 }),
  };
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
    throw new AppError("invalid_request", {
      issues: [{ path: "email", message: "belongs to another account already" }],
    });
  }
}
