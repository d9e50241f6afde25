// The parts of sessions that processes need. Deleting an account first calls `forgetPerson` itself, for the addresses that it returns.
import { shownFields } from "../../base/documents/fields.ts";
import type { Slice } from "../../kernel/slice.ts";
import { listEarlierAddresses } from "./change-email.ts";
import { listSessions } from "./revoke-session.ts";
import { sessionsHandlers } from "./rpc.ts";
import { deleteEmailLinksOf } from "./store-email-links.ts";
import { deletePasskeysOf, findPasskeysOf, PASSKEY_FIELDS } from "./store-passkeys.ts";
import { deleteSessionsOf, SESSION_COLLECTIONS, SESSION_FIELDS } from "./store.ts";

export const sessionsSlice: Slice = {
  name: "identity/sessions",
  collections: SESSION_COLLECTIONS,
  serve: (app) => ({ Sessions: sessionsHandlers(app) }),
  owned: {
    export: {
      parts: async (app, accountId) => ({
        earlier_email_addresses: await listEarlierAddresses(app, accountId),
        sessions: (await listSessions(app, accountId)).map((one) => ({
          session_id: one._id,
          ...shownFields(one, SESSION_FIELDS),
        })),
        passkeys: (await findPasskeysOf(app.mongo.db, accountId)).map((one) =>
          shownFields(one, PASSKEY_FIELDS),
        ),
      }),
    },
    erase: {
      closing: async ({ mongo: { db } }, { accountId }, tx) => {
        await deleteEmailLinksOf(db, accountId, tx);
        await deleteSessionsOf(db, accountId, tx);
        await deletePasskeysOf(db, accountId, tx);
      },
    },
  },
};
