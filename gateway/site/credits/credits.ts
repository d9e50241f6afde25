// /credits, the ledger as a file, and the requests of browser/verify-chain.js.
import { Readable } from "node:stream";
import { z } from "zod";
import { clientGone } from "../../../edge/http/client-gone.ts";
import type { CallOptions, CoreClient } from "../../../proto/client.ts";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import {
  LEDGER_KINDS,
  type LedgerEntryResource,
  balanceSchema,
  ledgerEntrySchema,
} from "../../../proto/resources/credits.ts";
import { jobSchema } from "../../../proto/resources/job.ts";
import { logProofSchema } from "../../../proto/resources/log-proof.ts";
import type { ListLedgerReply } from "../../../proto/types/atelier/v1/ListLedgerReply.ts";
import type { ListLedgerRequestInput } from "../../../proto/types/atelier/v1/ListLedgerRequest.ts";
import { toList, toResult } from "../../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { formOf, orEmpty } from "../session/forms.ts";
import { askModelNames } from "../studio/model-names.ts";
import { CREDITS_PATH, creditsPage, CSV_PATH, LOW_PATH } from "./credits-page.ts";
import { type LedgerRow, toRows } from "./ledger-rows.ts";

/** Rows per page; a job is one row. */
const PAGE_SIZE = 20;
const CHART_DAYS = 30;
const EXPORT_PAGE_SIZE = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

const creditsQuery = z.object({
  cursor: pageQuery.cursor,
  kind: orEmpty(z.enum(LEDGER_KINDS)),
  job_id: orEmpty(z.string().trim().max(64)),
  from: orEmpty(z.iso.date()),
  to: orEmpty(z.iso.date()),
  entry: orEmpty(z.string().max(100)),
});
const entriesQuery = z.object(pageQuery);

export function creditsPages(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(CREDITS_PATH, { schema: { querystring: creditsQuery } }, async (request, reply) => {
    const { person } = request;
    const { cursor = "", entry, ...filter } = request.query;
    const { kind, job_id, from, to } = filter;
    const call = personCall(request);
    const [balance, low, spending, modelName, page] = await Promise.all([
      core.credits.GetBalance({}, call),
      core.credits.GetLowCredits({}, call),
      core.jobs.SumSpending({ days: CHART_DAYS }, call),
      askModelNames(core, request),
      readRows(
        core,
        { cursor, kind, job_id, since: startOf(from), until: endOf(to), from_entry: entry },
        call,
      ),
    ]);
    return renderPage(
      reply,
      creditsPage({
        person,
        balance: fromMessage(balanceSchema, balance),
        missingWelcome: balance.missing_welcome,
        lowBelow: low.below,
        spending: { ...spending, days: CHART_DAYS, modelName },
        rows: page.rows,
        landed: entry !== "" && cursor === "",
        filter,
        cursor,
        nextCursor: page.nextCursor,
        now: new Date(),
      }),
    );
  });

  app.post(LOW_PATH, async (request, reply) => {
    const below = formOf(request).get("below").trim();
    // Core refuses values that are not valid thresholds.
    const wanted = below === "" ? {} : { below: /^\d{1,12}$/.test(below) ? Number(below) : 0 };
    await core.credits.SetLowCredits(wanted, personCall(request));
    return reply.redirect(CREDITS_PATH, 303);
  });

  app.get(CSV_PATH, async (request, reply) => {
    const call = { ...personCall(request), signal: clientGone(reply) };
    // The first page is fetched before the response begins, while an error can still be returned.
    const first = await core.credits.ListLedger({ limit: EXPORT_PAGE_SIZE }, call);
    return reply
      .headers({
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": 'attachment; filename="ledger.csv"',
      })
      .send(Readable.from(csvOf(core, first, call)));
  });
}

/** Fetches a page of the ledger with the jobs of its rows in two calls, whatever their number. */
async function readRows(
  core: CoreClient,
  asked: ListLedgerRequestInput,
  call: CallOptions,
): Promise<{ rows: LedgerRow[]; nextCursor: string }> {
  const page = await core.credits.ListLedger({ ...asked, limit: PAGE_SIZE, by_job: true }, call);
  const firsts = fromMessages(ledgerEntrySchema, page.entries);
  const jobIds = firsts.flatMap(({ job_id }) => job_id ?? []);
  const { jobs } =
    jobIds.length === 0
      ? { jobs: [] }
      : await core.jobs.ListJobs({ job_ids: jobIds, limit: PAGE_SIZE }, call);
  const ofJobs = fromMessages(ledgerEntrySchema, page.of_jobs);
  return { rows: toRows(firsts, ofJobs, fromMessages(jobSchema, jobs)), nextCursor: page.next_cursor };
}

/** The data with which the scripts verify the chain. */
export function creditsJson(app: GatewayApp, { core }: GatewayOptions): void {
  app.get("/account/api/credits/balance", async (request) => {
    return toResult(fromMessage(balanceSchema, await core.credits.GetBalance({}, personCall(request))));
  });

  app.get("/account/api/credits/proof", async (request) => {
    const { proof } = await core.credits.GetLogProof({}, personCall(request));
    return toResult({ proof: proof ? fromMessage(logProofSchema, proof) : null });
  });

  app.get("/account/api/credits/ledger", { schema: { querystring: entriesQuery } }, async (request) => {
    const { limit, cursor = "" } = request.query;
    const page = await core.credits.ListLedger({ limit, cursor }, personCall(request));
    return toList(fromMessages(ledgerEntrySchema, page.entries), page.next_cursor);
  });
}

/** Streams page by page at the speed of the reader, so a ledger of any length needs the memory of one page. */
async function* csvOf(core: CoreClient, first: ListLedgerReply, call: CallOptions): AsyncGenerator<string> {
  yield CSV_HEADER;
  let page = first;
  for (;;) {
    yield page.entries.map((entry) => csvLine(fromMessage(ledgerEntrySchema, entry))).join("");
    if (page.next_cursor === "") return;
    page = await core.credits.ListLedger({ limit: EXPORT_PAGE_SIZE, cursor: page.next_cursor }, call);
  }
}

function startOf(day: string): string {
  return day === "" ? "" : new Date(day).toISOString();
}

/** The last moment of the chosen day is included. */
function endOf(day: string): string {
  return day === "" ? "" : new Date(Date.parse(day) + DAY_MS).toISOString();
}

const COLUMNS = [
  "seq",
  "created_at",
  "kind",
  "amount",
  "hold",
  "balance_after",
  "held_after",
  "job_id",
  "source",
  "key_id",
  "memo",
  "entry_id",
  "prev_hash",
  "hash",
  "grants",
  "expires_at",
  "version",
] as const satisfies readonly (keyof LedgerEntryResource)[];

/** Spreadsheets treat text with these first characters as a formula, which could send the sheet's data elsewhere. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
const LINE_END = "\r\n";

export const CSV_HEADER = COLUMNS.join(",") + LINE_END;

/** A line of RFC 4180, without cells that spreadsheets could treat as formulas. */
export function csvLine(entry: LedgerEntryResource): string {
  return COLUMNS.map((name) => cell(entry[name])).join(",") + LINE_END;
}

function cell(value: LedgerEntryResource[keyof LedgerEntryResource]): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "object")
    return value.map(({ grant_id, amount }) => `${grant_id}: ${amount}`).join("; ");
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
