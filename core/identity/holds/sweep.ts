// Releases holds whose time is over, and those of an account that is closed.
import type { App } from "../../kernel/app.ts";
import { decideHolds } from "./holds.ts";
import { eraseHolds, findHoldsOfAccount, findOverdue } from "./store.ts";

const PER_BATCH = 100;

/** Returns whether there may be more. Safe in several workers at the same time: each hold ends once. */
export async function sweepHolds(app: App): Promise<boolean> {
  const overdue = await findOverdue(app.mongo.db, app.clock.now(), PER_BATCH);
  if (overdue.length > 0)
    await decideHolds(
      app,
      overdue.map((holdId) => ({ kind: "expire", holdId })),
    );
  return overdue.length === PER_BATCH;
}

/** Releases everything that is still held for the account, and erases what identifies its owner. Safe to repeat. */
export async function closeHolds(app: App, accountId: string): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined;) {
    const found = await findHoldsOfAccount(app.mongo.db, { accountId, after, limit: PER_BATCH });
    const live = found.filter(({ state }) => state === "held");
    if (live.length > 0)
      await decideHolds(
        app,
        live.map(({ _id }) => ({ kind: "close", holdId: _id })),
      );
    after = found.at(-1)?._id;
  }
  await eraseHolds(app.mongo.db, accountId);
}
