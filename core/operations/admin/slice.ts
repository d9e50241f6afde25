// The parts of the Admin service that processes need.
import { createRecent } from "../../base/mongo/recent.ts";
import type { App } from "../../kernel/app.ts";
import type { Slice } from "../../kernel/slice.ts";
import { listPauses } from "./pauses.ts";
import { adminHandlers } from "./rpc.ts";
import { findStuck } from "./stuck.ts";

/** A low frequency is enough, because no one waits for it. */
const STUCK_MAX_AGE_MS = 15_000;

export const adminSlice: Slice<App, Parameters<typeof adminHandlers>[1]> = {
  name: "operations/admin",
  serve: (app, parts) => ({ Admin: adminHandlers(app, parts) }),
  observe: (app) => {
    const stuck = createRecent(() => findStuck(app, { all: true }), STUCK_MAX_AGE_MS);
    app.metrics.gauges(
      "stuck",
      "How many items need attention, by kind; the command stuck says what to do.",
      ["what"],
      async () => (await stuck()).map(({ kind, count }) => ({ labels: { what: kind }, value: count })),
    );
    app.metrics.gauges(
      "paused",
      "1 for each model, provider and queue that an operator has paused.",
      ["kind", "name"],
      async () => (await listPauses(app)).map(({ kind, name }) => ({ labels: { kind, name }, value: 1 })),
    );
  },
};
