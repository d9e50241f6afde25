// The class of each field of a licence, from its owner's view. The store compares them with the type.

export const LICENCE_FIELDS = {
  _id: "hidden",
  account_id: "hidden",
  product_id: "owner",
  product_slug: "owner",
  product_name: "owner",
  kind: "owner",
  source: "owner",
  terms_version: "owner",
  order_id: "owner",
  granted_at: "owner",
  revoked_at: "owner",
  disputed: "owner",
} as const;
