// The class of each field of a hold, from its owner's view. The store compares them with the type.

export const HOLD_FIELDS = {
  _id: "counted",
  account_id: "counted",
  service: "counted",
  key: "counted",
  key_id: "counted",
  credits: "counted",
  memo: { owner: null },
  state: "counted",
  captured: "counted",
  held_from: { each: { grant_id: "counted", amount: "counted", expires_at: "counted" } },
  month: "counted",
  counted_on: "hidden",
  created_at: "counted",
  expires_at: "counted",
  ended_at: "counted",
} as const;
