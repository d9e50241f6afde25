// Suspending an account, which ends its sessions, and restoring it.
import { invalidField } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { changeTerms } from "../accounts/set-terms.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { endSessions } from "./revoke-session.ts";

/**
 * Suspends an account or restores it. `account` is an id or an e-mail address. While it is suspended its waiting jobs wait, running ones
 * continue, and signed URLs of its files do not open; its sessions end permanently. Throws not_found, and invalid_request for an unknown
 * status.
 */
export async function setAccountStatus(app: App, account: string, status: string): Promise<AccountDoc> {
  if (status !== "active" && status !== "suspended") {
    throw invalidField("status", "must be active or suspended");
  }
  return changeTerms(
    app,
    account,
    ({ account: current, plan }) => ({ account: { ...current, status }, plan }),
    async (accountId, tx) => {
      if (status === "suspended") await endSessions(app, accountId, tx);
    },
  );
}
