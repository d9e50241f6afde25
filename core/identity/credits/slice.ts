// The parts of credits that processes need.
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { ENTRY_FACTS_FIELDS } from "./archive-rules.ts";
import { forgetMemos } from "./forget-memos.ts";
import { listLedger } from "./read.ts";
import { creditsHandlers, meHandlers } from "./rpc.ts";
import { toLedgerEntry } from "./rules.ts";
import { CREDIT_COLLECTIONS } from "./store.ts";
import { sweepCredits } from "./sweep.ts";

const EVERYTHING = { kind: "", jobId: "", since: "", until: "" };

export const creditsSlice: Slice = {
  name: "identity/credits",
  collections: CREDIT_COLLECTIONS,
  serve: (app) => ({ Accounts: meHandlers(app), Credits: creditsHandlers(app) }),
  owned: {
    archived: { ledger: ENTRY_FACTS_FIELDS },
    export: {
      lists: {
        ledger: async (app, accountId, page) => {
          const { entries, nextCursor } = await listLedger(app, { accountId, ...page, ...EVERYTHING });
          return mapPage({ rows: entries, nextCursor }, toLedgerEntry);
        },
      },
    },
    erase: {
      afterClosing: forgetMemos,
    },
  },
  /** Credits are granted in the minute in which a period starts. */
  loops: [{ what: "give and end monthly credits", everyMs: 20_000, step: sweepCredits }],
};
