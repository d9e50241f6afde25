// What Prometheus learns of workflows from a core.
import type { App } from "../../kernel/app.ts";
import { countRunning } from "./store.ts";

/** More are not counted: a scrape must stay cheap when there are most. */
const MAX_COUNTED = 100_000;

export function observeWorkflows({ metrics, mongo }: Pick<App, "metrics" | "mongo">): void {
  metrics.gauge("workflows_running", "Workflows that have not ended, counted up to 100,000.", () =>
    countRunning(mongo.db, MAX_COUNTED),
  );
}
