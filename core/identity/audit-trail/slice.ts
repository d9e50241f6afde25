// The parts of the audit trail that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { anonymiseTarget, AUDIT_TRAIL_COLLECTIONS } from "./store.ts";

export const auditTrailSlice: Slice = {
  name: "identity/audit-trail",
  collections: AUDIT_TRAIL_COLLECTIONS,
  owned: {
    erase: {
      /** Removes the addresses, and the operators' texts about the account. Their actions stay. */
      closing: async (app, { accountId, emails }, tx) => {
        for (const email of emails) await anonymiseTarget(app.mongo.db, { accountId, email }, tx);
      },
    },
  },
};
