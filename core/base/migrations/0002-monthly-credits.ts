// Stores in each account when its next period begins, so that the sweep grants the plan's monthly credits.
import { type Migration, updateNext } from "./migration.ts";

/** The beginning of the account's next period: on the day of the month on which it began, or the last day of a shorter month. */
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
