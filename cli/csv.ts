// CSV (RFC 4180) with commas. csv-parse is not used because messages must name the right line and one bad row must not end the reading: it
// counts CRLF inside a quoted cell twice, assumes the first row's line ending for all, and stops at the first wrong quote.
import { decode, NOT_UTF8, type Scanner, tooLong } from "./lines.ts";

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;

export type CsvRow = {
  /** The first and the last line of the row, counted from 1; a quoted cell may span several lines. */
  readonly line: number;
  readonly lastLine: number;
  /** Incomplete if the row has a fault. */
  readonly cells: readonly string[];
  /** The error of the row, as text that follows "line 3" or the like. */
  readonly fault: string | undefined;
};

/**
 * The position of the next byte: at the beginning of a cell, in a bare cell, inside quotes, or after a quote that may be the closing one.
 */
type Place = "start" | "bare" | "quoted" | "closing";

/**
 * Empty lines are left out, but counted. After a fault, the rest of the row is read as well as possible, so that the next row begins in the
 * right place.
 */
export function createCsvScanner(maxRowBytes: number): Scanner<CsvRow> {
  const bytes = Buffer.allocUnsafe(maxRowBytes);
  let length = 0;
  let cellStart = 0;
  let cells: string[] = [];
  /** The row as it is in the file. */
  let rawBytes = 0;
  let fault: string | undefined;
  let place: Place = "start";
  let line = 1;
  let firstLine = 1;
  let isAfterCr = false;

  function endCell(): void {
    place = "start";
    if (rawBytes > maxRowBytes) return;
    const cell = decode(bytes.subarray(cellStart, length));
    if (cell === undefined) fault ??= NOT_UTF8;
    cells.push(cell ?? "");
    cellStart = length;
  }

  function endRow(): CsvRow | undefined {
    const isEmpty = cells.length === 0 && place === "start";
    endCell();
    const row = { line: firstLine, lastLine: line, cells, fault };
    cells = [];
    length = 0;
    cellStart = 0;
    rawBytes = 0;
    fault = undefined;
    return isEmpty ? undefined : row;
  }

  function take(byte: number): void {
    fault ??= faultOf(place, byte);
    // The quotes around a cell are not part of it; of two consecutive quotes the second one is.
    const isPart = byte !== QUOTE || place === "bare" || place === "closing";
    place = placeAfter(place, byte);
    if (isPart && rawBytes <= maxRowBytes) bytes[length++] = byte;
  }

  return {
    *push(chunk) {
      for (const byte of chunk) {
        const isSecondOfLineEnd = byte === LF && isAfterCr;
        const isLineEnd = (byte === LF && !isAfterCr) || byte === CR;
        isAfterCr = byte === CR;
        if (++rawBytes > maxRowBytes) fault = tooLong(maxRowBytes);
        if (place === "quoted") {
          take(byte);
          if (isLineEnd) line++;
        } else if (isLineEnd) {
          const row = endRow();
          firstLine = ++line;
          if (row) yield row;
        } else if (isSecondOfLineEnd) rawBytes = 0;
        else if (byte === COMMA) endCell();
        else take(byte);
      }
    },
    *end() {
      if (place === "quoted") fault ??= "has a quote that is never closed";
      const row = rawBytes > 0 ? endRow() : undefined;
      if (row) yield row;
    },
  };
}

/** A byte that does not end a cell outside quotes. */
function placeAfter(place: Place, byte: number): Place {
  if (byte !== QUOTE) return place === "quoted" ? "quoted" : "bare";
  if (place === "quoted") return "closing";
  return place === "bare" ? "bare" : "quoted";
}

function faultOf(place: Place, byte: number): string | undefined {
  if (byte === QUOTE) return place === "bare" ? "has a quote inside a cell that is not quoted" : undefined;
  return place === "closing"
    ? "has text after a closing quote; a quote inside a quoted cell is written twice"
    : undefined;
}

/** One row with its line ending. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\n`;
}

function toCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
