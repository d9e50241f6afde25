// The classes of the fields of an upload. The store checks them against the type.

export const UPLOAD_FIELDS = {
  _id: "hidden",
  account_id: "hidden",
  state: "owner",
  origin: "owner",
  max_bytes: "hidden",
  facts: "owner",
  created_at: "owner",
  expires_at: "owner",
} as const;
