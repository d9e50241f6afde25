// Texts for people about why a subscription ended or was not changed.
export const REASONS = {
  cancelled: "It was cancelled, and the time that was paid is over.",
  unpaid: "The payment for it did not come.",
  given_up: "It was cancelled while a payment for it was missing.",
  refunded: "Its payment was refunded.",
  there: "The payment provider has ended it.",
  deleted: "The account was deleted.",
  operator: "Support has ended it.",
  neverBegan: "The item that this payment was for could not be delivered.",
  late: "The payment for the next period did not come in time.",
  failed: "The payment for the next period failed.",
  changeDeclined: "The payment for the change was declined. Nothing was changed.",
  changeRefused: "The payment provider did not take the change. Nothing was changed.",
} as const;
