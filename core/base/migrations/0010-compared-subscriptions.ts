// Subscriptions are compared with their payment provider until both are equal, in place of tasks that the provider was told one by one.
//
// Processes of the release before go on with their tasks, and see nothing of `work`. Tasks that they queued, or left when they ended, were
// taken over by release 1.0.0.
import { WAITS } from "../mongo/due.ts";
import { type Migration, updateNext } from "./migration.ts";

const IS_QUEUED = { next_task_at: WAITS };

/** The state contains everything that is wanted, except a change that is paid immediately: it keeps its key, so that it is charged once. */
const TO_WORK = [
  {
    $set: {
      work: {
        $cond: [
          // A worker of this release that owns it sees the change when it is done.
          { $ne: [{ $ifNull: ["$work.owner", null] }, null] },
          "$work",
          {
            due_at: { $max: ["$next_task_at", "$doubtful_until"] },
            owner: null,
            attempts: { $ifNull: ["$task_attempts", 0] },
          },
        ],
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
      // A process of the release before that owns the task loses it.
      tellings: { $add: [{ $ifNull: ["$tellings", 0] }, 1] },
    },
  },
];

export const comparedSubscriptions: Migration = {
  version: 10,
  what: "subscriptions are compared with their payment provider until both are equal",
  // If the provider may be called for the task now, release 1.0.0 took it over afterwards.
  batch: (batch) => updateNext(batch, "subscriptions", { ...IS_QUEUED, telling_until: null }, TO_WORK),
};
