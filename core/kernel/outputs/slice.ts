// The parts of job files that processes need.
import type { Slice } from "../slice.ts";
import { removeExpiredOutputs } from "./expire.ts";
import { OUTPUT_COLLECTIONS } from "./store.ts";

export const outputsSlice: Slice = {
  name: "kernel/outputs",
  collections: OUTPUT_COLLECTIONS,
  loops: [{ what: "remove expired outputs", everyMs: 60_000, step: (app) => removeExpiredOutputs(app) }],
};
