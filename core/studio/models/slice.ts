// The parts of the models slice that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { modelsHandlers } from "./rpc.ts";
import { MODEL_COLLECTIONS } from "./store.ts";

export const modelsSlice: Slice = {
  name: "studio/models",
  collections: MODEL_COLLECTIONS,
  serve: (app) => ({ Models: modelsHandlers(app) }),
};
