// The class of each field of a session, from its owner's view. The store compares them with the type.

export const SESSION_FIELDS = {
  _id: "hidden",
  account_id: "hidden",
  user_agent: "owner",
  network: "owner",
  created_at: "owner",
  last_seen_at: "owner",
  expires_at: "hidden",
  revoked_at: "hidden",
} as const;
