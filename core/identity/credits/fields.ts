// The class of each field of an entry, from its owner's view. Rows of the archive have the same fields. The store compares them with the
// type.

export const LEDGER_FIELDS = {
  _id: "counted",
  account_id: "counted",
  seq: "counted",
  kind: "counted",
  amount: "counted",
  hold: "counted",
  balance_after: "counted",
  held_after: "counted",
  job_id: "counted",
  source: "counted",
  key_id: "counted",
  memo: { owner: null },
  created_at: "counted",
  prev_hash: "counted",
  hash: "counted",
  grants: { each: { grant_id: "counted", amount: "counted" } },
  grant_key: "hidden",
  expires_at: "counted",
  version: "counted",
  memo_seal: "counted",
} as const;
