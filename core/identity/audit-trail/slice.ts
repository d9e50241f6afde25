// What a process needs to know about the audit trail.
import type { Slice } from "../../kernel/slice.ts";
import { anonymiseTarget, AUDIT_TRAIL_COLLECTIONS } from "./store.ts";

export const auditTrailSlice: Slice = {
  name: "identity/audit-trail",
  collections: AUDIT_TRAIL_COLLECTIONS,
  owned: {
    erase: {
      /** Removes the addresses, and the operators' own words about the account. What they did to it stays. */
      closing: async (app, { accountId, emails }, tx) => {
        for (const email of emails) await anonymiseTarget(app.mongo.db, { accountId, email }, tx);
      },
    },
  },
};
