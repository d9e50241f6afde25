// Accounts in bulk, each with credits that its ledger proves. Written without the use cases, which would take hours for a million.
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { accounts } from "../../core/identity/accounts/store.ts";
import type { App } from "../../core/kernel/app.ts";
import { postEntry } from "../../core/identity/credits/rules.ts";
import { ledger } from "../../core/identity/credits/store.ts";
import type { Caller } from "../../proto/caller.ts";

const INSERTED_AT_ONCE = 5_000;
const CREDITS = 1_000_000;

/** They have no keys: a service acts for their owners. */
export async function insertAccounts(app: App, count: number): Promise<Caller[]> {
  const { db } = app.mongo;
  const { _id: modelId } = await createAccount(app, {
    email: "one@example.com",
    name: "Bench",
    plan: "studio",
  });
  const model = await accounts(db).findOne({ _id: modelId });
  if (!model) throw new Error("the account is not there");
  const callers: Caller[] = [];
  for (let n = 0; n < count; n += INSERTED_AT_ONCE) {
    const made = Array.from({ length: Math.min(INSERTED_AT_ONCE, count - n) }, (_, i) => {
      const account = { ...model, _id: app.newId("acc"), email: `many-${n + i}@example.com` };
      const given = { credits: CREDITS, of: { entryId: app.newId("led") }, at: app.clock.now() };
      return postEntry(account, { kind: "grant", source: "system", keyId: null, memo: null, ...given });
    });
    const [heads, entries] = [made.map(({ head }) => head), made.map(({ entry }) => entry)];
    await accounts(db).insertMany(heads, { ordered: false });
    await ledger(db).insertMany(entries, { ordered: false });
    for (const { head } of made) callers.push({ kind: "account", accountId: head._id, source: "app" });
  }
  return callers;
}
