// The public state of the studio: how many models can be used, and how long jobs wait. It is for the website's status page.
import type { App } from "../../kernel/app.ts";
import { createRecent } from "../../base/mongo/recent.ts";
import { measureQueue } from "./measure-queue.ts";

/** The database is asked this often, however many people ask. */
const MAX_AGE_MS = 5_000;

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
