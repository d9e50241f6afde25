// The tool prove_ledger: the ledger with its hashes, page by page, for the view that checks the chain. It is listed for that view alone;
// programs read the same over REST.
import { z } from "zod";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { type BalanceResource, balanceSchema, ledgerEntrySchema } from "../../proto/resources/credits.ts";
import { defineTool } from "../protocol/tool.ts";
import { nextCursorSchema, pageArguments, toNextCursor } from "./page.ts";

const PAGE_SIZE = 100;

export const proveLedger = defineTool({
  name: "prove_ledger",
  title: "Prove the ledger",
  endpoints: [],
  description: [
    "Lists all credit entries with their hashes, newest first, for the view of list_ledger.",
    "Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ cursor: pageArguments.cursor }),
  // Its one reader knows the fields of REST, so the list of tools does not repeat them.
  output: z.object({
    head: z.record(z.string(), z.unknown()).nullable(),
    entries: z.array(z.record(z.string(), z.unknown())),
    next_cursor: nextCursorSchema,
  }),
  async handle({ cursor }, { core, call }) {
    const asked = { limit: PAGE_SIZE, cursor: cursor ?? "", with_balance: cursor === undefined };
    const page = await core.credits.ListLedger(asked, call);
    const head = page.balance ? headOf(fromMessage(balanceSchema, page.balance)) : null;
    const entries = fromMessages(ledgerEntrySchema, page.entries);
    return {
      text: `${entries.length} entries with their hashes, for a program to check.`,
      structured: { head, entries, next_cursor: toNextCursor(page.next_cursor) },
    };
  },
});

function headOf({ balance, held, ledger_seq, ledger_hash }: BalanceResource): Record<string, unknown> {
  return { balance, held, ledger_seq, ledger_hash };
}
