// The class of each field of a key, from its owner's view. The store compares them with the type.

export const KEY_FIELDS = {
  _id: "hidden",
  key_id: "owner",
  account_id: "hidden",
  kind: "hidden",
  name: "owner",
  scope: "owner",
  masked: "owner",
  created_at: "owner",
  expires_at: "owner",
  last_used_at: "owner",
  revoked_at: "owner",
  max_credits: "owner",
  caps: "owner",
  confirm_above: "owner",
  lost_threshold: "hidden",
  confirm_raised: "owner",
  spent: "owner",
  spent_in: "owner",
  replaced_by: "owner",
} as const;
