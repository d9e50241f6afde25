import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCsvScanner, type CsvRow, toCsvLine } from "../../cli/csv.ts";
import { createRetryingSend, importRows } from "../../cli/import-rows.ts";
import { createLineScanner, type Line, type Scanner, withoutBom } from "../../cli/lines.ts";
import type { Row } from "../../cli/product-rows.ts";
import { AppError } from "../../proto/codes.ts";
import type { ImportProductsReply } from "../../proto/types/atelier/v1/ImportProductsReply.ts";
import type { ImportProductsRequestInput } from "../../proto/types/atelier/v1/ImportProductsRequest.ts";

const OPTIONS = { batchRows: 100, fromLine: 1, dryRun: false, createMissing: false };
const EMPTY = { created: 0, updated: 0, unchanged: 0, findings: [], version: 1 };

const row = (line: number, json = `{"slug":"p-${line}"}`): Row => ({ line, lastLine: line, json });
const badRow = (line: number): Row => ({
  line,
  lastLine: line,
  findings: [{ line, slug: "", path: "", message: "is bad" }],
});

async function* rowsOf(rows: Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}

/** A core that creates every row it gets, and reports errors for those in `badLines`. */
function createFakeCore(badLines: readonly number[] = []) {
  const batches: ImportProductsRequestInput[] = [];
  return {
    batches,
    send: async (request: ImportProductsRequestInput): Promise<ImportProductsReply> => {
      batches.push(request);
      const lines = (request.rows ?? []).map(({ line }) => Number(line));
      const findings = lines
        .filter((line) => badLines.includes(line))
        .map((line) => ({ line, slug: `p-${line}`, path: "name", message: "is required" }));
      return { ...EMPTY, created: findings.length > 0 ? 0 : lines.length, findings };
    },
  };
}

describe("an import", () => {
  test("sends batches of a fixed number of rows, or of fewer when rows are large", async () => {
    const core = createFakeCore();
    const large = JSON.stringify({ slug: "p", description: "x".repeat(200_000) });
    const rows = [
      row(1),
      row(2),
      row(3),
      row(4, large),
      row(5, large),
      row(6, large),
      row(7, large),
      row(8, large),
    ];
    const end = await importRows(rowsOf(rows), { ...OPTIONS, batchRows: 3 }, { ...core, ...ignore });
    const sizes = core.batches.map((batch) => (batch.rows ?? []).map(({ line }) => line));
    expect(sizes).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8],
    ]);
    await importRows(rowsOf(rows), OPTIONS, { ...core, ...ignore });
    expect(core.batches.slice(3).map((batch) => batch.rows?.length)).toEqual([7, 1]);
    expect(end).toMatchObject({ counts: { rows: 8, created: 8 }, readLine: 8, storedLine: 8 });
  });

  test("holds at most one batch in memory, however long the file is", async () => {
    let read = 0;
    let sent = 0;
    let mostHeld = 0;
    async function* endless() {
      for (let line = 1; line <= 50_000; line++) {
        read++;
        mostHeld = Math.max(mostHeld, read - sent);
        yield row(line);
      }
    }
    const { send } = createFakeCore();
    const counting = async (request: ImportProductsRequestInput) => {
      const reply = await send(request);
      sent += request.rows?.length ?? 0;
      return reply;
    };
    await importRows(endless(), OPTIONS, { send: counting, ...ignore });
    expect(sent).toBe(50_000);
    expect(mostHeld).toBeLessThanOrEqual(OPTIONS.batchRows + 1);
  });

  test("continues after a refused batch, and never reports more rows as stored than are", async () => {
    const core = createFakeCore([25]);
    const stored: number[] = [];
    const found: number[] = [];
    const end = await importRows(
      rowsOf(Array.from({ length: 40 }, (_, i) => row(i + 1))),
      { ...OPTIONS, batchRows: 10 },
      {
        ...core,
        onFinding: ({ line }) => found.push(line),
        onProgress: ({ storedLine }) => stored.push(storedLine),
      },
    );
    expect(stored).toEqual([10, 20, 20, 20]);
    expect(found).toEqual([25]);
    expect(end).toEqual({
      counts: { rows: 40, created: 30, updated: 0, unchanged: 0, refused: 1, heldBack: 9 },
      readLine: 40,
      storedLine: 20,
    });
  });

  test("only checks a batch that has an unreadable row, and reports all its errors in order", async () => {
    const core = createFakeCore([1]);
    const found: number[] = [];
    const end = await importRows(rowsOf([row(1), badRow(2), row(3)]), OPTIONS, {
      ...core,
      onFinding: ({ line }) => found.push(line),
      onProgress: () => {},
    });
    expect(core.batches).toMatchObject([{ dry_run: true, rows: [{ line: 1 }, { line: 3 }] }]);
    expect(found).toEqual([1, 2]);
    expect(end.counts).toMatchObject({ created: 0, refused: 2, heldBack: 1 });
  });

  test("starts at a given line, and counts all lines before it as stored", async () => {
    const core = createFakeCore();
    const rows = [1, 2, 3, 4].map((line) => row(line));
    const end = await importRows(rowsOf(rows), { ...OPTIONS, fromLine: 3 }, { ...core, ...ignore });
    expect(core.batches).toMatchObject([{ rows: [{ line: 3 }, { line: 4 }] }]);
    expect(end).toMatchObject({ counts: { rows: 2 }, storedLine: 4 });
    const past = await importRows(rowsOf(rows), { ...OPTIONS, fromLine: 9 }, { ...core, ...ignore });
    expect(past).toMatchObject({ counts: { rows: 0 }, storedLine: 8 });
  });
});

describe("a batch without a response from core", () => {
  const away = () => Promise.reject(new AppError("service_unavailable"));
  const answer = async () => EMPTY;

  test("is sent again for half a minute while core is away", async () => {
    const waits: number[] = [];
    const script = [answer, away, away, answer, ...Array.from({ length: 20 }, () => away)];
    let calls = 0;
    const send = createRetryingSend(
      async () => (script[calls++] ?? answer)(),
      async (ms) => waits.push(ms),
    );
    await send({});
    expect(await send({})).toEqual(EMPTY);
    expect(waits).toEqual([250, 500]);
    await expect(send({})).rejects.toMatchObject({ code: "service_unavailable" });
    expect(waits.slice(2).reduce((sum, ms) => sum + ms)).toBe(31_750);
  });

  test("is not sent again when it is the first batch, or when core refused it", async () => {
    const noWait = async () => expect.unreachable();
    await expect(createRetryingSend(away, noWait)({})).rejects.toMatchObject({ code: "service_unavailable" });
    let calls = 0;
    const refusing = createRetryingSend(async () => {
      if (++calls > 1) throw new AppError("internal");
      return EMPTY;
    }, noWait);
    await refusing({});
    await expect(refusing({})).rejects.toMatchObject({ code: "internal" });
    expect(calls).toBe(2);
  });
});

const ignore = { onFinding: () => {}, onProgress: () => {} };

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
