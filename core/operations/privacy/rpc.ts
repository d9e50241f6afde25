// The part of service Accounts for a person's own data: exporting and deleting them.
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import { factsOf, type Handlers } from "../../kernel/rpc.ts";
import { deleteAccount } from "./erase-accounts.ts";
import { exportAccount } from "./export-account.ts";

export function privacyHandlers(app: App) {
  return {
    async *ExportAccount(_request, { caller }) {
      for await (const piece of exportAccount(app, await signedInAccount(app, caller)))
        yield { json: Buffer.from(piece) };
    },

    async DeleteAccount({ email }, call) {
      const accountId = await signedInAccount(app, call.caller);
      await deleteAccount(app, accountId, email);
      logSecurity(app.log, "account_deleted", { ...factsOf(call), account_id: accountId });
      return {};
    },
  } satisfies Partial<Handlers<AccountsDefinition>>;
}
