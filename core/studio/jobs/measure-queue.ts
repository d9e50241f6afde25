// Measures how many jobs wait and run, and how long the longest wait is.
import { createRecent } from "../../base/mongo/recent.ts";
import type { App } from "../../kernel/app.ts";
import { QUEUE_DEADLINE_MS } from "./rules.ts";
import { madeAt } from "./store-list.ts";
import { countLive } from "./store-queue.ts";

/** More jobs are not counted: a scrape must stay cheap when the queue is longest. */
const MAX_COUNTED = 100_000;
/** The database is asked this often, however many people ask. */
const MAX_AGE_MS = 5_000;

export type QueueMeasure = {
  /** At most 100,000, like `running`. */
  readonly waiting: number;
  readonly running: number;
  /** The longest wait among those counted; 0 if none waits. */
  readonly oldestWaitingSeconds: number;
};

export async function measureQueue({ mongo, clock }: Pick<App, "mongo" | "clock">): Promise<QueueMeasure> {
  const [waiting, running] = await Promise.all([
    countLive(mongo.db, "reserved", MAX_COUNTED),
    countLive(mongo.db, "running", MAX_COUNTED),
  ]);
  const { first } = waiting;
  // A step of a workflow enters the queue later than it was made. A deadline that a request set can be earlier than the others.
  const acceptedAtMs =
    first && Math.max(first.deadline.getTime() - QUEUE_DEADLINE_MS, madeAt(first.id).getTime());
  return {
    waiting: waiting.count,
    running: running.count,
    // The clock of the core that accepted the job may be ahead of ours.
    oldestWaitingSeconds: acceptedAtMs ? Math.max(0, clock.now().getTime() - acceptedAtMs) / 1000 : 0,
  };
}

export type StudioState = {
  readonly liveModels: number;
  readonly pausedModels: number;
  readonly longestWaitSeconds: number;
};

export function createStudioState(app: Pick<App, "mongo" | "clock" | "models">): () => Promise<StudioState> {
  return createRecent(async () => {
    const [models, queue] = await Promise.all([app.models(), measureQueue(app)]);
    const count = (status: string) => [...models.values()].filter((model) => model.status === status).length;
    return {
      liveModels: count("live"),
      pausedModels: count("paused"),
      longestWaitSeconds: queue.oldestWaitingSeconds,
    };
  }, MAX_AGE_MS);
}
