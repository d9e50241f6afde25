// What a process needs to know of sessions. Deleting an account calls `forgetPerson` itself, for the addresses that it answers.
import type { Slice } from "../../kernel/slice.ts";
import { listEarlierAddresses } from "./change-email.ts";
import { listSessions } from "./revoke-session.ts";
import { sessionsHandlers } from "./rpc.ts";
import { SESSION_COLLECTIONS } from "./store.ts";

export const sessionsSlice: Slice = {
  name: "identity/sessions",
  collections: SESSION_COLLECTIONS,
  serve: (app) => ({ Sessions: sessionsHandlers(app) }),
  owned: {
    export: {
      parts: async (app, accountId) => ({
        earlier_email_addresses: await listEarlierAddresses(app, accountId),
        sessions: (await listSessions(app, accountId)).map(
          ({ _id, user_agent, network, created_at, last_seen_at }) => ({
            session_id: _id,
            user_agent,
            network,
            created_at,
            last_seen_at,
          }),
        ),
      }),
    },
  },
};
