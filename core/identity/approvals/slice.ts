// What a process needs to know of approvals.
import type { Slice } from "../../kernel/slice.ts";
import { listConfirmations } from "./own.ts";
import { toConfirmation } from "./resource.ts";
import { confirmationHandlers } from "./rpc.ts";
import { CONFIRMATION_COLLECTIONS, deleteConfirmations } from "./store.ts";

export const approvalsSlice: Slice = {
  name: "identity/approvals",
  collections: CONFIRMATION_COLLECTIONS,
  serve: (app) => ({ Accounts: confirmationHandlers(app) }),
  owned: {
    export: {
      parts: async (app, accountId) => ({
        confirmations: (await listConfirmations(app, accountId)).map(toConfirmation),
      }),
    },
    erase: {
      closing: (app, { accountId }, tx) => deleteConfirmations(app.mongo.db, accountId, tx),
    },
  },
};
