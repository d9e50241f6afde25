// The class of each field of an entry, from its owner's view. Rows of the archive have the same fields. The store compares them with the
// type.

import { counted } from "../../base/documents/fields.ts";

export const LEDGER_FIELDS = {
  ...counted("_id", "account_id", "seq", "kind", "amount", "hold", "balance_after", "held_after", "job_id"),
  ...counted("source", "key_id", "created_at", "prev_hash", "hash", "expires_at", "version", "memo_seal"),
  memo: { owner: null },
  grants: { each: { grant_id: "counted", amount: "counted" } },
  grant_key: "hidden",
} as const;
