// Accounts know when their next period begins, for which the sweep gives them their plan's monthly credits.
import { type Migration, updateNext } from "./migration.ts";

/** The beginning of the account's first period from now on, on the day of the month on which it began, or the month's last. */
const monthsSince = { $dateDiff: { startDate: "$created_at", endDate: "$$NOW", unit: "month" } };
const inMonths = (amount: unknown) => ({ $dateAdd: { startDate: "$created_at", unit: "month", amount } });
const nextPeriod = {
  $let: {
    vars: { months: monthsSince },
    in: {
      $cond: [
        { $gt: [inMonths("$$months"), "$$NOW"] },
        inMonths("$$months"),
        inMonths({ $add: ["$$months", 1] }),
      ],
    },
  },
};

export const monthlyCredits: Migration = {
  version: 2,
  what: "accounts know when their next monthly credits come",
  batch: (batch) =>
    updateNext(batch, "accounts", { next_grant_at: { $exists: false }, status: { $ne: "deleted" } }, [
      { $set: { next_grant_at: nextPeriod, due_at: { $min: [nextPeriod, "$due_at"] } } },
    ]),
};
