// The parts of the limits of providers that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { listProviders } from "./settings.ts";
import { LIMIT_COLLECTIONS } from "./store.ts";

export const limitsSlice: Slice = {
  name: "studio/limits",
  collections: LIMIT_COLLECTIONS,
  observe: (app) => {
    app.metrics.gauges(
      "provider_calls_under_way",
      "Calls under way at a provider, where it has a limit.",
      ["provider"],
      async () =>
        (await listProviders(app)).flatMap(({ provider, calls }) =>
          calls === undefined ? [] : [{ labels: { provider }, value: calls }],
        ),
    );
  },
};
