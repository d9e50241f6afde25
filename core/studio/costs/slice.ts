// The parts of the costs of provider calls that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { COST_COLLECTIONS, eraseCosts } from "./store.ts";

export const costsSlice: Slice = {
  name: "studio/costs",
  collections: COST_COLLECTIONS,
  owned: {
    erase: {
      afterClosing: ({ mongo }, accountId) => eraseCosts(mongo.db, accountId),
    },
  },
};
