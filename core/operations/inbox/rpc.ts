// The part of service Accounts about what is new for the user.
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { markInboxRead } from "../../identity/accounts/change-settings.ts";
import { decodeTime } from "../../identity/accounts/rpc.ts";
import { readSignedIn, signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { countUnread, listInbox } from "./read-inbox.ts";

export function inboxHandlers(app: App) {
  return {
    async ListInbox(_request, { caller }) {
      const entries = await listInbox(app, await readSignedIn(app, caller));
      return { entries: entries.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })) };
    },

    async CountInbox(_request, { caller }) {
      return { unread: await countUnread(app, await readSignedIn(app, caller)) };
    },

    async MarkInboxRead({ until }, { caller }) {
      await markInboxRead(app, await signedInAccount(app, caller), decodeTime(until));
      return {};
    },
  } satisfies Partial<Handlers<AccountsDefinition>>;
}
