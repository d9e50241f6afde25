// What jobs lose with their account.
import type { Db } from "../../base/mongo/client.ts";
import { ASKED_WORDS } from "./archive-rules.ts";
import { idempotencyKeys, jobs } from "./store.ts";

/** From now on the end of these jobs is not announced, except by a worker that already holds one of them. */
export async function eraseCallbackUrls(db: Db, accountId: string): Promise<void> {
  await jobs(db).updateMany(
    { account_id: accountId, state: { $in: ["reserved", "running"] }, callback_url: { $ne: null } },
    { $set: { callback_url: null } },
    { hint: "live" },
  );
}

export async function deleteIdempotencyKeys(db: Db, accountId: string): Promise<void> {
  // Their ids begin with the account; `!` follows the space that ends it.
  await idempotencyKeys(db).deleteMany({
    _id: { $gte: `${accountId} `, $lt: `${accountId}!` },
    account_id: accountId,
  });
}

/** Of what was asked for, only which model it was is counted. */
const ERASED = {
  ...Object.fromEntries(ASKED_WORDS.map((name) => [name, "$$REMOVE"])),
  prompt: "",
  params: { $literal: {} },
  metadata: { $literal: {} },
  callback_url: null,
};

/** Removes from ended jobs what their owner wrote, what was made of it, and what providers said about it. */
export async function eraseJobs(db: Db, accountId: string, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return;
  await jobs(db).updateMany(
    { _id: { $in: [...jobIds] }, account_id: accountId, state: { $nin: ["reserved", "running"] } },
    [
      {
        $set: {
          ...ERASED,
          counted_on: "$$REMOVE",
          call: "$$REMOVE",
          inputs: "$$REMOVE",
          trace: "$$REMOVE",
          outputs: [],
          error: null,
          events: {
            $map: {
              input: "$events",
              as: "event",
              in: { type: "$$event.type", state: "$$event.state", at: "$$event.at" },
            },
          },
        },
      },
    ],
    { hint: "_id_" },
  );
}
