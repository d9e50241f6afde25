import { describe, expect, test } from "vitest";
import { createRetryingSend, importRows } from "../../cli/import-rows.ts";
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
