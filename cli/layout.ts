// Plain text for people: named fields and tables, aligned with spaces so that they can be copied and pasted.

/** One line for each field that has a value, with the values in one column. */
export function fields(rows: readonly (readonly [name: string, value: string | undefined])[]): string {
  return table(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Rows of cells, with columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return rows.map(line).join("\n");
}

/** For example 12345 gives "12,345". */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** For example 2900 gives "$29.00". */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** For example "1 job" or "2 jobs". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Other people's text must neither break a table nor control the terminal. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** The columns of a list by their headings: a field of the row, whose numbers get separators, or a function that returns the cell. */
export type Columns<T> = Readonly<Record<string, FieldOf<T> | ((row: T) => string)>>;
type FieldOf<T> = { [K in keyof T]: T[K] extends string | number ? K : never }[keyof T];

/** One page of a list: the table, or a line that there is nothing, and how to get the next page. */
export function listing<T>(
  rows: readonly T[],
  columns: Columns<T>,
  { nothing, cursor = "" }: { nothing?: string; cursor?: string } = {},
): string {
  if (rows.length === 0 && nothing !== undefined) return nothing;
  const cells = Object.values(columns).map((column) => (row: T) => {
    const value = typeof column === "function" ? column(row) : row[column];
    return typeof value === "number" ? count(value) : onOneLine(String(value));
  });
  const lines = [table([Object.keys(columns), ...rows.map((row) => cells.map((cell) => cell(row)))])];
  return [...lines, ...(cursor ? [`more: --cursor ${cursor}`] : [])].join("\n");
}
