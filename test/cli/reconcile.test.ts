// A provider's bill compared with the calls: exactly the planted errors are reported. Unreadable bills are refused.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type BillFormat, readBill } from "../../cli/bill.ts";
import { describeFinding, periodOf, Reconciliation } from "../../cli/reconcile-rules.ts";
import type { ProviderCallResource } from "../../proto/resources/margin.ts";

const START = Date.UTC(2026, 10, 1);
const LINES = 100_000;

const callOf = (i: number): ProviderCallResource => ({
  reference: `req_${i}`,
  job_id: `job_${i}`,
  model_slug: "m",
  provider_model: "x",
  at: new Date(START + i * 1000).toISOString(),
  outcome: "made",
  amount: (i % 97) / 1000 + 0.001,
  currency: "USD",
  job_state: "completed",
  credits_captured: 10,
  credits_kept: i % 100 === 0 ? 0 : 10,
});
const lineOf = (
  { reference, amount, currency, at }: ProviderCallResource,
  change: { amount?: number; currency?: string } = {},
) => `${reference},${(change.amount ?? amount ?? 0).toFixed(6)},${change.currency ?? currency},${at}`;

const read = (text: string | Buffer, format?: BillFormat) =>
  readBill(Readable.from([Buffer.from(text)]) as AsyncIterable<Buffer>, { format, currency: "USD" });

/** The findings between a bill and the calls, in words. */
async function found(
  text: string,
  calls: Iterable<ProviderCallResource>,
): Promise<{ words: string[]; matched: number; refunded: number }> {
  const bill = await read(text);
  const period = periodOf(bill.lines, bill.days);
  if (!period) throw new Error("the bill has no times");
  const matching = new Reconciliation(bill, period);
  for (const call of calls) matching.call(call);
  const { matched, refunded, findings } = matching.result();
  const words = [
    ...bill.faults.map(({ line, message }) => `line ${line} ${message}`),
    ...findings.map(describeFinding),
  ];
  return { words, matched, refunded: refunded.calls };
}

test("[COST-05] reconcile of a bill with 100,000 lines with 50 planted errors reports exactly these 50", async () => {
  const planted: string[] = [];
  const lines: string[] = ["reference,amount,currency,at"];
  /** Ten of each kind, spread over the bill. */
  const kindOf = (i: number) =>
    i % 2_000 === 1_000 && i >= 1_000
      ? ["missing", "dearer", "currency", "twice", "foreign"][((i / 1_000 - 1) / 2) % 5]
      : undefined;
  const calls = Array.from({ length: LINES }, (_, i) => callOf(i));
  for (const [i, call] of calls.entries()) {
    const kind = kindOf(i);
    const line = lines.length + 1;
    if (kind === "missing") planted.push(`call of job_${i} at`);
    else if (kind === "dearer") {
      lines.push(lineOf(call, { amount: (call.amount ?? 0) + 0.5 }));
      planted.push(`line ${line}: req_${i}, billed`);
    } else if (kind === "currency") {
      lines.push(lineOf(call, { currency: "EUR" }));
      planted.push(`line ${line}: req_${i}, billed`);
    } else lines.push(lineOf(call));
    if (kind === "twice") {
      lines.push(lineOf(call));
      planted.push(`line ${line + 1}: req_${i} was billed in line ${line} already`);
    } else if (kind === "foreign") {
      lines.push(lineOf({ ...call, reference: `other_${i}` }));
      planted.push(`line ${line + 1}: other_${i}, `);
    }
  }
  expect(planted).toHaveLength(50);
  const { words, matched, refunded } = await found(`${lines.join("\n")}\n`, calls);
  expect(words).toHaveLength(50);
  for (const one of planted)
    expect(
      words.filter((word) => word.startsWith(one)),
      one,
    ).toHaveLength(1);
  expect(matched).toBe(LINES - 30);
  // Paid calls of refunded jobs are explained.
  expect(refunded).toBe(
    calls.filter(
      (call, i) => call.credits_kept === 0 && !["missing", "dearer", "currency"].includes(kindOf(i) ?? ""),
    ).length,
  );
});

describe("a call that is missing from the bill", () => {
  const bill = `reference,amount,at\n${["req_1", "req_3"].map((id, i) => `${id},1,${new Date(START + (1 + 2 * i) * 1000).toISOString()}`).join("\n")}\n`;
  const [one, two, three] = [1, 2, 3].map((i) => ({ ...callOf(i), amount: 1 })) as [
    ProviderCallResource,
    ProviderCallResource,
    ProviderCallResource,
  ];
  test.each<[string, Partial<ProviderCallResource>, number]>([
    ["is told", {}, 1],
    ["is told if nobody knows what it cost", { amount: undefined, currency: undefined } as never, 1],
    ["is no finding if it cost nothing", { amount: 0 }, 0],
    ["is no finding outside of the bill's time", { at: new Date(START + 60_000).toISOString() }, 0],
    [
      "is no finding if it failed and nobody knows what it cost",
      { amount: undefined, outcome: "failed" } as never,
      0,
    ],
  ])("%s", async (_what, change, findings) => {
    expect((await found(bill, [one, { ...two, ...change }, three])).words).toHaveLength(findings);
  });
});

describe("reconcile of a bill", () => {
  const LINE = { line: 2, reference: "a", micros: 40_000, currency: "USD" };
  test.each<[string, string | Buffer]>([
    ["in UTF-8", "reference,amount\na,0.04\n"],
    ["in UTF-8 with a byte order mark", "\uFEFFreference,amount\na,0.04\n"],
    ["in UTF-16, as spreadsheets write it", Buffer.from("\uFEFFreference,amount\r\na,0.04\r\n", "utf16le")],
    ["with more columns, in any order", 'note,amount,request_id\n"x, y",0.04,a\n'],
    ["with more than six decimals", "reference,amount\na,0.0400004\n"],
  ])("reads one %s", async (_what, text) => {
    expect(await read(text)).toEqual({ lines: [LINE], days: [], faults: [] });
  });

  test.each([
    ["without a reference", "reference,amount\n,1\n", "has no reference"],
    ["with text as the amount", "reference,amount\na,free\n", 'has the amount "free", which is no number'],
    ["with a decimal comma", 'reference,amount\na,"0,04"\n', 'has the amount "0,04", which is no number'],
    [
      "with an unknown currency",
      "reference,amount,currency\na,1,dollars\n",
      "has the currency DOLLARS, which is none",
    ],
    ["with an invalid time", "reference,amount,at\na,1,noon\n", "has the time noon, which is none"],
    ["with an unclosed quote", 'reference,amount\n"a,1\n', "has a quote that is never closed"],
  ])("reports a row %s and reads on", async (_what, text, message) => {
    const { faults } = await read(text);
    expect(faults).toEqual([{ line: 2, message }]);
  });

  test("reports rows that are not UTF-8", async () => {
    const text = Buffer.concat([Buffer.from("reference,amount\n"), Buffer.from([0xe9]), Buffer.from(",1\n")]);
    expect((await read(text)).faults).toEqual([
      { line: 2, message: "is not valid UTF-8; save the file in UTF-8" },
    ]);
  });

  test.each([
    ["without content", "", "The bill is empty."],
    ["without the columns", "day,total cost\n1,2\n", "must name the columns reference and amount"],
    ["with semicolons", "reference;amount\na;1\n", "separated by semicolons; save it with commas"],
    ["of broken JSON", '{"billing_events": [\n', "is not JSON"],
    ["of other JSON", '{"invoices": []}', "has no billing events of fal"],
  ])("refuses a bill %s", async (_what, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test("reads fal's bill by requests, in pages or one a line", async () => {
    const event = (id: string, nanos: number) => ({
      request_id: id,
      endpoint_id: "fal-ai/flux",
      timestamp: "2026-11-01T00:00:00Z",
      output_units: 1,
      cost_estimate_nano_usd: nanos,
    });
    const page = {
      billing_events: [event("a", 40_000_000), event("b", 25_000_400)],
      next_cursor: null,
      has_more: false,
    };
    const lines = [
      { reference: "a", micros: 40_000 },
      { reference: "b", micros: 25_000 },
    ];
    expect((await read(JSON.stringify(page))).lines).toMatchObject(lines);
    expect(
      (await read(`${page.billing_events.map((one) => JSON.stringify(one)).join("\n")}\n`)).lines,
    ).toMatchObject(lines);
    expect((await read(JSON.stringify({ billing_events: [{ request_id: "a" }] }))).faults).toEqual([
      { line: 1, message: "has no cost" },
    ]);
  });

  test("compares OpenAI's bill by days, to the cent", async () => {
    const day = (n: number, value: number) => ({
      object: "bucket",
      start_time: START / 1000 + n * 86_400,
      end_time: START / 1000 + (n + 1) * 86_400,
      results: [{ object: "organization.costs.result", amount: { value, currency: "usd" }, line_item: null }],
    });
    const page = JSON.stringify({
      object: "page",
      data: [day(0, 0.3004), day(1, 5)],
      has_more: false,
      next_page: null,
    });
    const calls = [0, 1, 2].map((i) => ({ ...callOf(i), amount: 0.1 }));
    const { words, matched } = await found(page, calls);
    expect(matched).toBe(1);
    expect(words).toEqual(["2026-11-02: billed 5.00 USD, the calls come to 0.00 USD: 5.00 USD too much"]);
  });
});
