// What a process needs to know about tickets.
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { dropUnseenKeys } from "./member-key.ts";
import { listWholeTickets, measureTickets } from "./read-tickets.ts";
import { toTicket } from "./resource.ts";
import { ticketsHandlers } from "./rpc.ts";
import { deleteTickets, TICKET_COLLECTIONS } from "./store.ts";

export const ticketsSlice: Slice = {
  name: "operations/tickets",
  collections: TICKET_COLLECTIONS,
  serve: (app) => ({ Tickets: ticketsHandlers(app) }),
  observe: (app) =>
    app.metrics.gauge("tickets_open", "Tickets that wait for support, counted up to 100,000.", () =>
      measureTickets(app),
    ),
  owned: {
    export: {
      lists: {
        tickets: async (app, accountId, page) => {
          const now = app.clock.now();
          return mapPage(await listWholeTickets(app, accountId, page), (row) => toTicket(row, now));
        },
      },
    },
    erase: { closing: (app, { accountId }, tx) => deleteTickets(app.mongo.db, accountId, tx) },
  },
  loops: [
    {
      what: "drop member keys that no one opened",
      everyMs: 60_000,
      step: (app) => dropUnseenKeys(app),
    },
  ],
};
