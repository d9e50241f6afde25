// The parts of the margin slice that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { MICROS } from "../../studio/costs/rules.ts";
import { keepMargin } from "./margin.ts";
import { findMargin, MARGIN_COLLECTIONS } from "./store.ts";

export const marginSlice: Slice = {
  name: "operations/margin",
  collections: MARGIN_COLLECTIONS,
  loops: [{ what: "add up margins", everyMs: 10 * 60 * 1000, step: keepMargin }],
  observe: (app) => {
    app.metrics.gauges(
      "margin_usd",
      "The running month by model, as added up a few times a day; what: revenue, cost or margin.",
      ["model", "what"],
      async () =>
        ((await findMargin(app.mongo.db))?.lines?.model ?? []).flatMap(({ key, revenueMicros, costMicros }) =>
          [
            ["revenue", revenueMicros] as const,
            ["cost", costMicros] as const,
            ["margin", revenueMicros - costMicros] as const,
          ].map(([what, micros]) => ({ labels: { model: key, what }, value: micros / MICROS })),
        ),
    );
  },
};
