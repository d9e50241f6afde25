// Operators pause the whole queue: no waiting job starts, at any worker, until it is resumed. Running jobs continue.
import type { App } from "../../kernel/app.ts";
import type { QueuePause } from "../../kernel/definitions.ts";
import { deleteQueuePause, findQueuePause, saveQueuePause } from "./store.ts";

type QueueApp = Pick<App, "mongo" | "clock">;

/** As it is stored now; every process learns of a change within half a second (`app.queuePause`). */
export async function loadQueuePause({ mongo }: Pick<App, "mongo">): Promise<QueuePause | undefined> {
  return findQueuePause(mongo.db);
}

/** With `refuses`, new requests are refused too. Pausing again changes only that. */
export async function pauseQueue(
  app: QueueApp,
  { refuses }: Pick<QueuePause, "refuses">,
): Promise<QueuePause> {
  const pause = { since: app.clock.now(), refuses };
  await saveQueuePause(app.mongo.db, pause);
  return (await findQueuePause(app.mongo.db)) ?? pause;
}

/** Resuming an open queue changes nothing. */
export async function resumeQueue({ mongo }: QueueApp): Promise<void> {
  await deleteQueuePause(mongo.db);
}
