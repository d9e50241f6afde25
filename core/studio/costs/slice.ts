// The parts of the costs of provider calls that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { COST_COLLECTIONS, eraseCosts } from "./store.ts";

export const costsSlice: Slice = {
  name: "studio/costs",
  collections: COST_COLLECTIONS,
  owned: {
    erase: {
      afterClosing: async ({ mongo }, accountId) => {
        await eraseCosts(mongo.db, accountId);
        return 0;
      },
    },
  },
};
