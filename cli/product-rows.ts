// Products in files: JSON lines as core reads and writes them, or CSV with a column for each field. This file checks the form of a row;
// core checks its values.
import { createCsvScanner, type CsvRow, toCsvLine } from "./csv.ts";
import { UsageError } from "./failure.ts";
import { createLineScanner, tooLong, withoutBom } from "./lines.ts";

export const FORMATS = ["jsonl", "csv"] as const;
/** An empty cell clears a field, but these fields cannot be empty: there it has no effect. */
const NEVER_CLEARED = ["id", "name", "status"];
const SALE_COLUMNS = ["sale_price_cents", "sale_starts_at", "sale_ends_at"];

export type Format = (typeof FORMATS)[number];

/** More than any product can need, and small compared to what one call of core may carry. */
export const MAX_ROW_BYTES = 256 * 1024;

export type Finding = {
  readonly line: number;
  /** Empty if the row has none. */
  readonly slug: string;
  /** The field or column; empty for the row as a whole. */
  readonly path: string;
  readonly message: string;
};

/** A row of the file: what core accepts, or why the row cannot be sent to core. */
export type Row = { readonly line: number; readonly lastLine: number } & (
  | { readonly json: string }
  | { readonly findings: readonly Finding[] }
);

/** Yields the rows of a file one by one. Throws UsageError for an invalid header. */
export async function* readRows(chunks: AsyncIterable<Buffer>, format: Format): AsyncGenerator<Row> {
  const scanner = format === "csv" ? createCsvRows() : createJsonRows();
  for await (const chunk of withoutBom(chunks)) yield* scanner.push(chunk);
  yield* scanner.end();
}

function createJsonRows() {
  const lines = createLineScanner(MAX_ROW_BYTES);
  function* toRows(found: ReturnType<typeof lines.push>): Generator<Row> {
    for (const row of found) {
      const { line } = row;
      yield "text" in row
        ? { line, lastLine: line, json: row.text }
        : { line, lastLine: line, findings: [{ line, slug: "", path: "", message: row.fault }] };
    }
  }
  return {
    push: (chunk: Buffer) => toRows(lines.push(chunk)),
    end: () => toRows(lines.end()),
  };
}

type Kind = "text" | "number" | "flag" | "list";

/** Every column in the order of an export, and how its cells are read. */
const COLUMNS: Record<string, Kind> = {
  slug: "text",
  id: "text",
  name: "text",
  status: "text",
  tagline: "text",
  description: "text",
  price_regular_cents: "number",
  client_price_cents: "number",
  sale_price_cents: "number",
  sale_starts_at: "text",
  sale_ends_at: "text",
  pricing_tier: "text",
  plus_only: "flag",
  demo_url: "text",
  cover_image_url: "text",
  category: "text",
  subcategory: "text",
  tags: "list",
  rating_average: "number",
  rating_count: "number",
  popularity: "number",
  featured_rank: "number",
  home_order: "number",
  published_at: "text",
  cost_cents: "number",
  supplier_notes: "text",
  download_key: "text",
};

export const CSV_COLUMNS = Object.keys(COLUMNS);

function createCsvRows() {
  const scanner = createCsvScanner(MAX_ROW_BYTES);
  let header: readonly string[] | undefined;
  function* toRows(found: Iterable<CsvRow>): Generator<Row> {
    for (const row of found) {
      if (header) yield fromCsv(row, header);
      else header = readHeader(row);
    }
  }
  return {
    push: (chunk: Buffer) => toRows(scanner.push(chunk)),
    *end() {
      yield* toRows(scanner.end());
      if (!header) throw new UsageError("the file is empty: its first line has to name the columns");
    },
  };
}

function readHeader({ cells, fault }: CsvRow): string[] {
  if (fault) throw new UsageError(`the line that names the columns ${fault}`);
  const header = cells.map((cell) => cell.trim());
  const unknown = header.filter((column) => !Object.hasOwn(COLUMNS, column));
  if (unknown.length > 0) {
    const [first = ""] = unknown;
    throw new UsageError(
      `the first line of the file has to name the columns, separated by commas; there is no column ${JSON.stringify(first.slice(0, 100))}. The columns are ${CSV_COLUMNS.join(", ")}`,
    );
  }
  const twice = header.find((column, i) => header.indexOf(column) < i);
  if (twice) throw new UsageError(`the column ${twice} is there twice`);
  if (!header.includes("slug"))
    throw new UsageError("there is no column slug, which says what product a row is");
  const missing = SALE_COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0 && missing.length < SALE_COLUMNS.length)
    throw new UsageError(
      `the columns ${SALE_COLUMNS.join(", ")} come together; ${missing.join(", ")} is missing`,
    );
  return header;
}

function fromCsv({ line, lastLine, cells, fault }: CsvRow, header: readonly string[]): Row {
  const slug = cells[header.indexOf("slug")]?.trim() ?? "";
  const findings: Finding[] = [];
  const note = (path: string, message: string) =>
    findings.push({ line, slug: slug.slice(0, 100), path, message });
  if (fault) note("", fault);
  else if (cells.length !== header.length)
    note("", `has ${cells.length} cells, but the first line names ${header.length} columns`);
  if (findings.length > 0) return { line, lastLine, findings };
  const values = new Map(
    header.map((column, i) => {
      const value = readCell(column, cells[i] ?? "");
      if (value === undefined) note(column, EXPECTED[COLUMNS[column] ?? "text"]);
      return [column, value];
    }),
  );
  const json = JSON.stringify(toFields(values));
  if (Buffer.byteLength(json) > MAX_ROW_BYTES) note("", tooLong(MAX_ROW_BYTES));
  return findings.length > 0 ? { line, lastLine, findings } : { line, lastLine, json };
}

type Value = string | number | boolean | string[] | null | undefined;

const EXPECTED: Record<Kind, string> = {
  text: "must be text",
  number: "must be a number such as 4900",
  flag: "must be true or false",
  list: "must be a list separated by commas",
};

/** Undefined for a cell that cannot be read. */
function readCell(column: string, cell: string): Value {
  const text = cell.trim();
  if (text === "") return null;
  switch (COLUMNS[column]) {
    case "number":
      // The length is limited, because what is not a finite number would be sent as null, which clears.
      return /^[+-]?\d{1,20}(\.\d{1,20})?$/.test(text) ? Number(text) : undefined;
    case "flag":
      // Spreadsheets write them in capitals.
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
    case "list":
      return text.split(",").map((item) => item.trim());
    default:
      return text;
  }
}

function toFields(values: ReadonlyMap<string, Value>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [column, value] of values) {
    if (SALE_COLUMNS.includes(column) || (value === null && NEVER_CLEARED.includes(column))) continue;
    fields[column] = column === "slug" ? (value ?? "") : value;
  }
  if (!values.has("sale_price_cents")) return fields;
  const [price, startsAt, endsAt] = SALE_COLUMNS.map((column) => values.get(column) ?? null);
  const isOff = price === null && startsAt === null && endsAt === null;
  return { ...fields, sale: isOff ? null : { price_cents: price, starts_at: startsAt, ends_at: endsAt } };
}

/** The name of a field in the file. */
export function toColumn(path: string, format: Format): string {
  return format === "csv" ? path.replace(/^sale\./, "sale_") : path;
}

/** The first line of a CSV export. */
export function csvHeader(): string {
  return toCsvLine(CSV_COLUMNS);
}

/** One product, as core sends it, as a line of a file. */
export function writeRow(json: string, format: Format): string {
  return format === "csv" ? toCsvLine(toCells(JSON.parse(json) as Record<string, unknown>)) : `${json}\n`;
}

function toCells({ sale, ...fields }: Record<string, unknown>): string[] {
  const { price_cents, starts_at, ends_at } = (sale ?? {}) as Record<string, unknown>;
  const values: Record<string, unknown> = {
    ...fields,
    sale_price_cents: price_cents,
    sale_starts_at: starts_at,
    sale_ends_at: ends_at,
  };
  const unknown = Object.keys(values).find((field) => !Object.hasOwn(COLUMNS, field));
  // If it were left out silently, the owner of the file would lose it.
  if (unknown)
    throw new Error(`core sends the field ${unknown}, for which CSV has no column: export as jsonl`);
  return CSV_COLUMNS.map((column) => {
    const value = values[column] ?? "";
    if (Array.isArray(value)) return value.join(",");
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
