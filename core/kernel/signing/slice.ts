// The parts of receipt signing that processes need.
import type { Slice } from "../slice.ts";
import { listReceiptKeys } from "./receipts.ts";
import { SIGNING_COLLECTIONS } from "./store.ts";

export const signingSlice: Slice = {
  name: "kernel/signing",
  collections: SIGNING_COLLECTIONS,
  serve: (app) => ({
    Proof: {
      ListReceiptKeys: async () => ({
        keys: (await listReceiptKeys(app)).map(({ _id, x }) => ({ kid: _id, x })),
      }),
    },
  }),
};
