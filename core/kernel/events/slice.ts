// What a process needs to know about the events of accounts.
import { shownFields } from "../../base/documents/fields.ts";
import { mapPage, readPage, toPage } from "../page.ts";
import type { Slice } from "../slice.ts";
import { deleteEventCount, deleteEvents, EVENT_COLLECTIONS, EVENT_FIELDS, findEventsAfter } from "./store.ts";

export const eventsSlice: Slice = {
  name: "kernel/events",
  collections: EVENT_COLLECTIONS,
  owned: {
    export: {
      lists: {
        events: async ({ mongo: { db } }, accountId, request) => {
          const { limit, after = "0" } = readPage(request);
          const found = await findEventsAfter(db, accountId, Number(after), limit + 1);
          const page = toPage(found, limit, ({ seq }) => String(seq));
          return mapPage(page, (one) => ({ event_id: one._id, ...shownFields(one, EVENT_FIELDS) }));
        },
      },
    },
    erase: {
      /** From now on nothing of the account is recorded. */
      closing: (app, { accountId }, tx) => deleteEventCount(app.mongo.db, accountId, tx),
      afterClosing: (app, accountId) => deleteEvents(app.mongo.db, accountId),
    },
  },
};
