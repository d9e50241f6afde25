// What may need a person, in words that follow a number, and the operator's command that shows it.
export const STUCK = {
  jobs_waiting_long: {
    words: "jobs wait, the oldest of them for more than a quarter of an hour",
    command: "status",
  },
  jobs_over_time: {
    words: "jobs have run for an hour longer than their models allow, with or without a worker",
    command: "jobs cancel --state running",
  },
  providers_failing: {
    words: "models of providers fail, and jobs wait for them",
    command: "provider list",
  },
  deliveries_dead: {
    words: "webhooks were not delivered, and no one has dealt with them",
    command: "delivery endpoints",
  },
  mails_failed: { words: "mails of the last week were given up", command: "mail list" },
  refunds_late: {
    words: "payments could not be refunded in three attempts or more",
    command: "order list --state refunded",
  },
  payments_unclaimed: {
    words: "payments name no order that is known here",
    command: "order list --state placed",
  },
  subscriptions_untold: {
    words: "subscriptions have a change that their provider did not take in three attempts or more",
    command: "subscription list",
  },
  tickets_open: { words: "tickets wait for support", command: "ticket list" },
} as const;

export type StuckKind = keyof typeof STUCK;
