// What a process needs to know about holds of other internal services.
import { shownFields } from "../../base/documents/fields.ts";
import { mapPage, pageById } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { holdHandlers } from "./rpc.ts";
import { findHoldsOfAccount, HOLD_COLLECTIONS, HOLD_FIELDS } from "./store.ts";
import { closeHolds, sweepHolds } from "./sweep.ts";

export const holdsSlice: Slice = {
  name: "identity/holds",
  collections: HOLD_COLLECTIONS,
  serve: (app) => ({ Credits: holdHandlers(app) }),
  owned: {
    export: {
      lists: {
        holds: async (app, accountId, request) => {
          const page = await pageById(request, (after = "", limit) =>
            findHoldsOfAccount(app.mongo.db, { accountId, after, limit }),
          );
          return mapPage(page, (hold) => ({ hold_id: hold._id, ...shownFields(hold, HOLD_FIELDS) }));
        },
      },
    },
    erase: {
      afterClosing: closeHolds,
    },
  },
  loops: [{ what: "release holds whose time is over", everyMs: 5_000, drain: sweepHolds }],
};
