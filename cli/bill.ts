// Reads a provider's bill: a plain CSV, fal's billing events, or OpenAI's costs. It reports the error of a row, and continues.
import { createCsvScanner, type CsvRow } from "./csv.ts";
import { UsageError } from "./failure.ts";
import { withoutBom } from "./lines.ts";
import type { BillDay, BillLine } from "./reconcile-rules.ts";
import { MICROS, toMicros } from "./reconcile-rules.ts";

export const BILL_FORMATS = ["csv", "fal", "openai"] as const;
export type BillFormat = (typeof BILL_FORMATS)[number];

/** More lines would not fit into memory next to the calls. */
export const MAX_BILL_LINES = 2_000_000;
const MAX_JSON_BYTES = 512 * 1024 * 1024;
const MAX_ROW_BYTES = 64 * 1024;

export type Fault = { readonly line: number; readonly message: string };

/** The lines of calls, or the totals of days, and the rows that cannot be read. */
export type Bill = {
  readonly lines: readonly BillLine[];
  readonly days: readonly BillDay[];
  readonly faults: readonly Fault[];
};

/**
 * Chooses the format by content: JSON is an export of fal or of OpenAI, everything else is CSV. Throws UsageError if nothing can be read.
 */
export async function readBill(
  chunks: AsyncIterable<Buffer>,
  { format, currency }: { format: BillFormat | undefined; currency: string },
): Promise<Bill> {
  const { head, all } = await peek(withoutBom(toUtf8(chunks)));
  const isJson = /^\s*[[{]/.test(head);
  if (format === "csv" || (format === undefined && !isJson)) return readCsv(all, currency);
  const json = await readJson(all);
  const isOpenAi = format ? format === "openai" : json.some((value) => field(value, "object") === "page");
  return isOpenAi ? readOpenAi(json) : readFal(json);
}

async function peek(chunks: AsyncGenerator<Buffer>): Promise<{ head: string; all: AsyncGenerator<Buffer> }> {
  const first = await chunks.next();
  async function* whole(): AsyncGenerator<Buffer> {
    if (!first.done) yield first.value;
    yield* chunks;
  }
  return { head: first.done ? "" : first.value.subarray(0, 1024).toString("latin1"), all: whole() };
}

/** UTF-16 with a byte order mark, as spreadsheets write it, becomes UTF-8. */
async function* toUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | "none" | undefined;
  for await (const chunk of chunks) {
    const mark = chunk.subarray(0, 2).toString("hex");
    decoder ??=
      mark === "fffe" ? new TextDecoder("utf-16le") : mark === "feff" ? new TextDecoder("utf-16be") : "none";
    yield decoder === "none" ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

const COLUMNS = {
  reference: ["reference", "request_id", "id"],
  amount: ["amount", "cost", "total"],
  currency: ["currency"],
  at: ["at", "timestamp", "time", "date"],
} as const;
type Columns = Partial<Record<keyof typeof COLUMNS, number>>;

async function readCsv(chunks: AsyncIterable<Buffer>, usualCurrency: string): Promise<Bill> {
  const scanner = createCsvScanner(MAX_ROW_BYTES);
  const lines: BillLine[] = [];
  const faults: Fault[] = [];
  let columns: Columns | undefined;
  const take = (row: CsvRow) => {
    if (!columns) columns = columnsOf(row);
    else {
      const read = readRow(row, columns, usualCurrency);
      if ("message" in read) faults.push(read);
      else lines.push(read);
      if (lines.length + faults.length > MAX_BILL_LINES) throw tooManyLines();
    }
  };
  for await (const chunk of chunks) for (const row of scanner.push(chunk)) take(row);
  for (const row of scanner.end()) take(row);
  if (!columns) throw new UsageError("The bill is empty.");
  return { lines, days: [], faults };
}

function tooManyLines(): UsageError {
  return new UsageError(
    `The bill has more than ${MAX_BILL_LINES.toLocaleString("en-US")} lines. Split it by day, and reconcile each part with --since and --until.`,
  );
}

function columnsOf({ cells, fault }: CsvRow): Columns {
  if (fault !== undefined) throw new UsageError(`The first line of the bill ${fault}.`);
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const find = (column: keyof typeof COLUMNS) => {
    const at = names.findIndex((name) => (COLUMNS[column] as readonly string[]).includes(name));
    return at === -1 ? undefined : at;
  };
  const [reference, amount, currency, at] = [find("reference"), find("amount"), find("currency"), find("at")];
  if (reference === undefined || amount === undefined) {
    const hint =
      names.length === 1 && names[0]?.includes(";")
        ? " Its columns are separated by semicolons; save it with commas."
        : "";
    throw new UsageError(`The first line of the bill must name the columns reference and amount.${hint}`);
  }
  return { reference, amount, ...(currency !== undefined && { currency }), ...(at !== undefined && { at }) };
}

function readRow(row: CsvRow, columns: Columns, usualCurrency: string): BillLine | Fault {
  const { line, cells, fault } = row;
  const wrong = (message: string): Fault => ({ line, message });
  if (fault !== undefined) return wrong(fault);
  const cell = (column: keyof typeof COLUMNS) => cells[columns[column] ?? -1]?.trim() ?? "";
  const reference = cell("reference");
  if (reference === "") return wrong("has no reference");
  const currency = (cell("currency") || usualCurrency).toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) return wrong(`has the currency ${currency}, which is none`);
  const micros = readAmount(cell("amount"));
  if (micros === undefined)
    return wrong(`has the amount ${JSON.stringify(cell("amount"))}, which is no number`);
  const at = cell("at");
  const time = at === "" ? undefined : new Date(at);
  if (time && Number.isNaN(time.getTime())) return wrong(`has the time ${at}, which is none`);
  return { line, reference, micros, currency, ...(time && { at: time }) };
}

/** A decimal number with a point, exact to a millionth. */
function readAmount(text: string): number | undefined {
  const [, sign, whole = "", part = ""] = /^([+-]?)(\d{1,9})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === "") return undefined;
  const micros = Number(whole) * MICROS + Math.round(Number(`0.${part || "0"}`) * MICROS);
  return sign === "-" ? -micros : micros;
}

async function readJson(chunks: AsyncIterable<Buffer>): Promise<unknown[]> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) throw tooManyLines();
    parts.push(chunk);
  }
  const text = Buffer.concat(parts).toString("utf8");
  try {
    return [JSON.parse(text) as unknown].flat();
  } catch {
    // Pages of an API are often stored one per line.
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.flatMap((line, i) => {
      try {
        return [JSON.parse(line) as unknown].flat();
      } catch (error) {
        throw new UsageError(`Line ${i + 1} of the bill is not JSON: ${(error as Error).message}`);
      }
    });
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

/** GET /v1/models/billing-events of fal: https://fal.ai/docs/platform-apis/v1/models/billing-events. */
function readFal(pages: readonly unknown[]): Bill {
  const events = pages.flatMap((page) =>
    field(page, "request_id") === undefined ? listAt(page, "billing_events") : [page],
  );
  if (events.length === 0) throw new UsageError("The bill has no billing events of fal.");
  if (events.length > MAX_BILL_LINES) throw tooManyLines();
  const lines: BillLine[] = [];
  const faults: Fault[] = [];
  for (const [i, event] of events.entries()) {
    const line = i + 1;
    const reference = field(event, "request_id");
    const nanos = field(event, "cost_estimate_nano_usd");
    const total = field(event, "cost_total");
    const micros =
      typeof nanos === "number"
        ? Math.round(nanos / 1000)
        : typeof total === "number"
          ? toMicros(total)
          : undefined;
    const at = new Date(String(field(event, "timestamp")));
    if (typeof reference !== "string" || reference === "")
      faults.push({ line, message: "has no request_id" });
    else if (micros === undefined || !Number.isFinite(micros)) faults.push({ line, message: "has no cost" });
    else lines.push({ line, reference, micros, currency: "USD", ...(!Number.isNaN(at.getTime()) && { at }) });
  }
  return { lines, days: [], faults };
}

/** GET /v1/organization/costs of OpenAI, which has days and no requests. */
function readOpenAi(pages: readonly unknown[]): Bill {
  const days: BillDay[] = [];
  const faults: Fault[] = [];
  for (const [i, bucket] of pages.flatMap((page) => listAt(page, "data")).entries()) {
    const [since, until] = [Number(field(bucket, "start_time")), Number(field(bucket, "end_time"))];
    const results = listAt(bucket, "results");
    const amounts = results.map((result) => field(result, "amount"));
    const currencies = [...new Set(amounts.map((amount) => String(field(amount, "currency")).toUpperCase()))];
    const micros = amounts.reduce((sum: number, amount) => sum + toMicros(Number(field(amount, "value"))), 0);
    if (!Number.isFinite(since) || !Number.isFinite(until))
      faults.push({ line: i + 1, message: "has no start_time and end_time" });
    else if (!Number.isFinite(micros))
      faults.push({ line: i + 1, message: "has an amount that is no number" });
    else if (currencies.length > 1)
      faults.push({ line: i + 1, message: `has several currencies: ${currencies.join(", ")}` });
    else
      days.push({
        since: new Date(since * 1000),
        until: new Date(until * 1000),
        micros,
        currency: currencies[0] ?? "USD",
      });
  }
  if (days.length + faults.length === 0) throw new UsageError("The bill has no days of OpenAI's costs.");
  return { lines: [], days, faults };
}
