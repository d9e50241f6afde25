import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCsvScanner, type CsvRow, toCsvLine } from "../../cli/csv.ts";
import { createLineScanner, type Line, type Scanner, withoutBom } from "../../cli/lines.ts";

const MAX_BYTES = 1024;

/** What the parser returns when the bytes come in chunks of this size. */
function scan<T>(scanner: Scanner<T>, input: string | Buffer, pieceBytes = 7): T[] {
  const bytes = Buffer.from(input);
  const found: T[] = [];
  for (let i = 0; i < bytes.length; i += pieceBytes)
    found.push(...scanner.push(bytes.subarray(i, i + pieceBytes)));
  return [...found, ...scanner.end()];
}

const csv = (input: string | Buffer, pieceBytes?: number): CsvRow[] =>
  scan(createCsvScanner(MAX_BYTES), input, pieceBytes);
const lines = (input: string | Buffer, pieceBytes?: number): Line[] =>
  scan(createLineScanner(MAX_BYTES), input, pieceBytes);

/** Lines, cells and errors as rows to compare. */
const told = (rows: readonly CsvRow[]) =>
  rows.map(({ line, lastLine, cells, fault }) => [`${line}-${lastLine}`, fault ?? cells]);

describe("a CSV file", () => {
  test("returns what was written for any cells, line ends and chunk sizes", () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", " ", "a", "é", "\0"), maxLength: 8 }),
    );
    // A single empty cell is an empty line.
    const row = fc.array(cell, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), (rows, pieceBytes) => {
        expect(csv(rows.map(toCsvLine).join(""), pieceBytes).map(({ cells }) => cells)).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("counts the lines of quoted cells that span several lines, with %s", (_name, end) => {
    const text = ["a,b", '1,"x', "", 'y"', "", "2,3"].join(end);
    for (const pieceBytes of [1, 2, 3, 100]) {
      expect(told(csv(text, pieceBytes))).toEqual([
        ["1-1", ["a", "b"]],
        ["2-4", ["1", `x${end}${end}y`]],
        ["6-6", ["2", "3"]],
      ]);
    }
  });

  test("accepts mixed line ends and a missing last one", () => {
    expect(told(csv("a\r\nb\nc\rd"))).toEqual([
      ["1-1", ["a"]],
      ["2-2", ["b"]],
      ["3-3", ["c"]],
      ["4-4", ["d"]],
    ]);
  });

  test("keeps rows of empty cells and skips empty lines", () => {
    expect(told(csv('\n,\n\n""\n'))).toEqual([
      ["2-2", ["", ""]],
      ["4-4", [""]],
    ]);
  });

  test("reports misplaced quotes with their place, and reads the rows after them", () => {
    const stray = "has a quote inside a cell that is not quoted";
    const after = "has text after a closing quote; a quote inside a quoted cell is written twice";
    expect(told(csv('a,5" disk\n1,"b"c,2\n3,"ok"\n4,"x\ny" z\n5,6\n'))).toEqual([
      ["1-1", stray],
      ["2-2", after],
      ["3-3", ["3", "ok"]],
      ["4-5", after],
      ["6-6", ["5", "6"]],
    ]);
    expect(told(csv('a,b\n1,"x\ny'))).toEqual([
      ["1-1", ["a", "b"]],
      ["2-3", "has a quote that is never closed"],
    ]);
  });

  test("rejects single rows that are not UTF-8 or too long", () => {
    const bad = Buffer.concat([Buffer.from("a,b\n"), Buffer.from([0x63, 0xe9, 0x0a]), Buffer.from("d,é\n")]);
    expect(told(csv(bad, 1))).toEqual([
      ["1-1", ["a", "b"]],
      ["2-2", "is not valid UTF-8; save the file in UTF-8"],
      ["3-3", ["d", "é"]],
    ]);
    for (const long of [`"${"x\n".repeat(MAX_BYTES)}"`, "x".repeat(5_000), ",".repeat(5_000)]) {
      const [first, second, ...others] = csv(`${long}\nb,c\n`);
      expect(first).toMatchObject({ line: 1, fault: "is longer than 1 KiB" });
      expect(second).toMatchObject({ cells: ["b", "c"], fault: undefined });
      expect(others).toEqual([]);
    }
  });
});

describe("a file of JSON lines", () => {
  test("numbers all lines, empty ones included, for either line end and any chunk size", () => {
    for (const pieceBytes of [1, 2, 3, 100]) {
      expect(lines('{"a":1}\r\n\n  \n{"b":"é"}\n{"c":3}', pieceBytes)).toEqual([
        { line: 1, text: '{"a":1}' },
        { line: 4, text: '{"b":"é"}' },
        { line: 5, text: '{"c":3}' },
      ]);
    }
  });

  test("rejects single lines that are not UTF-8 or too long", () => {
    const bad = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`${"x".repeat(MAX_BYTES + 1)}\ny\n`)]);
    expect(lines(bad)).toEqual([
      { line: 1, fault: "is not valid UTF-8; save the file in UTF-8" },
      { line: 2, fault: "is longer than 1 KiB" },
      { line: 3, text: "y" },
    ]);
    expect(lines("x".repeat(MAX_BYTES))).toEqual([{ line: 1, text: "x".repeat(MAX_BYTES) }]);
  });
});

test("a byte order mark is skipped at the beginning of the file only, for any chunk size", async () => {
  const read = async (pieces: readonly (readonly number[])[]) => {
    async function* chunks() {
      for (const piece of pieces) yield Buffer.from(piece);
    }
    const out: Buffer[] = [];
    for await (const chunk of withoutBom(chunks())) out.push(chunk);
    return Buffer.concat(out);
  };
  expect(await read([[0xef], [0xbb], [0xbf], [0x61], [0xef, 0xbb, 0xbf]])).toEqual(
    Buffer.from([0x61, 0xef, 0xbb, 0xbf]),
  );
  expect(await read([[0xef, 0xbb, 0xbf, 0x61]])).toEqual(Buffer.from([0x61]));
  expect(await read([[0xef, 0xbb]])).toEqual(Buffer.from([0xef, 0xbb]));
  expect(await read([])).toEqual(Buffer.alloc(0));
});
