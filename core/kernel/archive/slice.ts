// The parts of the archive that processes need.
import type { Slice } from "../slice.ts";
import { forgetArchived } from "./forget.ts";
import { ARCHIVE_COLLECTIONS } from "./store.ts";

export const archiveSlice: Slice = {
  name: "kernel/archive",
  collections: ARCHIVE_COLLECTIONS,
  owned: {
    erase: {
      /** The lowest slice that erases anything once the account is idle, so that rows that were archived in between are erased too. */
      onceIdle: (app, accountId) =>
        forgetArchived(
          app,
          accountId,
          new Map(app.owned.flatMap(({ archived = {} }) => Object.entries(archived))),
        ),
    },
  },
};
