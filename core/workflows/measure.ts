// How many workflows run, for whoever watches the installation.
import type { App } from "../app.ts";
import { countRunning } from "./store.ts";

/** More are not counted: a scrape must stay cheap when there are most. */
const MAX_COUNTED = 100_000;

export async function measureWorkflows({ mongo }: Pick<App, "mongo">): Promise<number> {
  return countRunning(mongo.db, MAX_COUNTED);
}
