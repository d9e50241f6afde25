// Running jobs that should have ended long ago and need someone's attention.
import type { App } from "../../kernel/app.ts";
import { countOverTime } from "./store-waits.ts";

/** Beyond the time that a job's model allows. */
const MUCH_MS = 60 * 60 * 1000;

/** Counts up to 1,000. Jobs that wait for a permit, or for the end of a pause, are not counted, because their time does not run. */
export async function measureOverTime({ mongo, clock }: Pick<App, "mongo" | "clock">): Promise<number> {
  return countOverTime(mongo.db, new Date(clock.now().getTime() - MUCH_MS));
}
