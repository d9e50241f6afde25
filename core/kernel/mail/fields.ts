// The class of each field of a mail, from its receiver's view. The store compares them with the type.

export const MAIL_FIELDS = {
  _id: "hidden",
  account_id: "hidden",
  to: "owner",
  subject: "owner",
  text: "owner",
  kind: "owner",
  ref: "hidden",
  status: "owner",
  created_at: "owner",
  not_after: "hidden",
  last_error: "hidden",
  expires_at: "hidden",
  work: "hidden",
} as const;
