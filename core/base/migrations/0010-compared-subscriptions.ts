// Subscriptions are compared with their payment provider until both are equal, in place of tasks that the provider was told one by one.
// A call of the provider that may still be under way is waited for.
import { WAITS } from "../mongo/due.ts";
import { type Migration, updateNext } from "./migration.ts";

/** The state contains everything that is wanted, except a change that is paid immediately: it keeps its key, so that it is charged once. */
const TO_WORK = [
  {
    $set: {
      work: {
        due_at: { $max: ["$next_task_at", "$doubtful_until", "$telling_until"] },
        owner: null,
        attempts: { $ifNull: ["$task_attempts", 0] },
      },
      change: {
        $cond: [
          { $and: [{ $eq: ["$task.kind", "change"] }, { $eq: ["$task.when", "now"] }] },
          {
            offer: "$task.offer",
            key: { $concat: ["$_id", ":", { $toString: "$task_seq" }] },
            is_withdrawn: false,
          },
          { $ifNull: ["$change", null] },
        ],
      },
      next_task_at: null,
      doubtful_until: null,
      // A process that owned the task loses it.
      tellings: { $add: [{ $ifNull: ["$tellings", 0] }, 1] },
    },
  },
];

export const comparedSubscriptions: Migration = {
  version: 10,
  what: "subscriptions are compared with their payment provider until both are equal",
  batch: (batch) => updateNext(batch, "subscriptions", { next_task_at: WAITS }, TO_WORK),
};
