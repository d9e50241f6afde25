// Makes an account. Its e-mail address belongs to it alone.
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import { isDuplicateKey } from "../mongo/errors.ts";
import { inTx } from "../mongo/in-tx.ts";
import { type NewAccount, newAccount } from "./rules.ts";
import { type AccountDoc, findPlans, insertAccount } from "./store.ts";

/** Answers the new account, without credits. Throws invalid_request for a bad or taken e-mail address, a bad name, an unknown plan. */
export async function createAccount(app: App, wanted: NewAccount): Promise<AccountDoc> {
  const { db } = app.mongo;
  const account = newAccount(app.newId("acc"), wanted, await findPlans(db), app.clock.now());
  try {
    await inTx(app.mongo, (session) => insertAccount(db, account, session));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError("invalid_request", {
      issues: [{ path: "email", message: "belongs to another account already" }],
    });
  }
  return account;
}
