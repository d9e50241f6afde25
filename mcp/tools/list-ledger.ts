// The tool list_ledger: the same as GET /api/credits/ledger.
import { z } from "zod";
import { fromMessages } from "../../proto/codec.ts";
import { ledgerEntrySchema, LEDGER_KINDS } from "../../proto/resources/credits.ts";
import { describeLedgerEntry } from "../jobs/describe.ts";
import { defineTool } from "../protocol/tool.ts";
import { jobIdSchema } from "./get-job.ts";
import { nextLines, nextCursorSchema, pageArguments, toNextCursor } from "./page.ts";

const time = z.iso.datetime({ offset: true });

export const listLedger = defineTool({
  name: "list_ledger",
  title: "List credit entries",
  endpoints: ["generation", "member"],
  description: [
    "Lists the changes of the account's credits, newest first: grants, and what jobs reserved, paid (debit) or got back (release, refund).",
    "Use it to explain a balance or the cost of a job. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  checksKey: true,
  input: z.strictObject({
    kind: z.enum(LEDGER_KINDS).optional(),
    job_id: jobIdSchema.optional(),
    since: time.optional().describe("Inclusive."),
    until: time.optional().describe("Exclusive."),
    ...pageArguments,
  }),
  // The hash chain is for programs, which read it over REST.
  output: z.object({
    entries: z.array(
      ledgerEntrySchema.omit({
        entry_id: true,
        held_after: true,
        source: true,
        key_id: true,
        prev_hash: true,
        hash: true,
        grants: true,
        version: true,
      }),
    ),
    next_cursor: nextCursorSchema,
  }),
  async handle({ limit, cursor = "", kind = "", job_id = "", since, until }, { core, call }) {
    const times = { since: inUtc(since), until: inUtc(until) };
    const page = await core.credits.ListLedger({ limit, cursor, kind, job_id, ...times }, call);
    const entries = fromMessages(ledgerEntrySchema, page.entries);
    const lines = entries.length > 0 ? entries.map(describeLedgerEntry) : ["No entry fits."];
    return {
      text: [...lines, ...nextLines("list_ledger", page.next_cursor)].join("\n"),
      structured: { entries, next_cursor: toNextCursor(page.next_cursor) },
    };
  },
});

function inUtc(value: string | undefined): string {
  return value === undefined ? "" : new Date(value).toISOString();
}
