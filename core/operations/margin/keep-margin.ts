// Computes the margins of the running month for the operator's page and metrics, a few times a day, in one worker.
import { monthOf } from "../../identity/accounts/rules.ts";
import type { App } from "../../kernel/app.ts";
import { monthRange } from "./margin-rules.ts";
import { sumMargins } from "./margin.ts";
import { KEPT_BY, saveMargin, takeMargin } from "./store.ts";

const EVERY_MS = 6 * 60 * 60 * 1000;

/** Does nothing if another worker has computed them, or begun to, in the last hours. */
export async function keepMargin(app: App, signal?: AbortSignal): Promise<void> {
  const now = app.clock.now();
  const before = new Date(now.getTime() - EVERY_MS);
  if (!(await takeMargin(app.mongo.db, { before, now }))) return;
  const month = monthOf(now);
  const range = monthRange(month);
  if (range)
    await saveMargin(app.mongo.db, { month, at: now, lines: await sumMargins(app, range, KEPT_BY, signal) });
}
