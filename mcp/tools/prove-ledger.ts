// Tool prove_ledger: the ledger with its hashes, page by page, for the view that checks the chain. Listed for that view alone; programs read
// the same over REST.
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { z } from "zod";
import { balanceSchema, ledgerEntrySchema } from "../../proto/resources/credits.ts";
import { defineTool } from "../protocol/tool.ts";
import { nextCursorSchema, pageArguments, toNextCursor } from "./page.ts";

const PAGE_SIZE = 100;

export const proveLedger = defineTool({
  name: "prove_ledger",
  title: "Prove the ledger",
  description: [
    "Lists all credit entries with their hashes, newest first, and how the ledger stands.",
    "For the view of list_ledger, which checks the chain. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ cursor: pageArguments.cursor }),
  output: z.object({
    head: balanceSchema.pick({ balance: true, held: true, ledger_seq: true, ledger_hash: true }).nullable(),
    entries: z.array(ledgerEntrySchema.omit({ grants: true })),
    next_cursor: nextCursorSchema,
  }),
  async handle({ cursor }, { core, call }) {
    // First the end, then the entries up to it: what is written in between is no part of what is proved.
    const head =
      cursor === undefined ? fromMessage(balanceSchema, await core.credits.GetBalance({}, call)) : null;
    const page = await core.credits.ListLedger({ limit: PAGE_SIZE, cursor: cursor ?? "" }, call);
    const entries = fromMessages(ledgerEntrySchema, page.entries);
    return {
      text: `${entries.length} entries with their hashes, for a program to check.`,
      structured: { head, entries, next_cursor: toNextCursor(page.next_cursor) },
    };
  },
});
