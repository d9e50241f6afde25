// The purchase of each captured credit, compared with a model that moves single credits.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerDoc } from "../../../../core/identity/credits/store.ts";
import { Lots } from "../../../../core/operations/margin/lots-rules.ts";
import { at, NOW } from "../../../fixtures/docs.ts";

type Some = Partial<LedgerDoc> & Pick<LedgerDoc, "_id" | "kind" | "amount">;
const entry = (some: Some): LedgerDoc => ({ job_id: null, created_at: NOW, ...some }) as LedgerDoc;
/** Orders a, b and c: 100 credits for this many dollars. */
const PAID: Readonly<Record<string, number>> = { led_a_o2: 1, led_b_o2: 2, led_c_o2: 5 };
const lotsOf = () =>
  new Lots((id) => (PAID[id] === undefined ? undefined : { cents: PAID[id] * 100, credits: 100 }));
const dollars = (micros: number) => Number((micros / 1_000_000).toFixed(6));

describe("lots", () => {
  /** `led_a_o2 purchase 100, led_g grant 4` */
  const entriesIn = (words: string) =>
    words.split(", ").map((one) => {
      const [_id = "", kind, amount] = one.split(" ");
      return entry({ _id, kind: kind as LedgerDoc["kind"], amount: Number(amount) });
    });
  test.each([
    ["of a purchase are worth its price", "led_b_o2 purchase 100", 10, 0.2, 0],
    ["of a gift are worth nothing", "led_g grant 100", 10, 0, 0],
    [
      "are spent in order of arrival",
      "led_g grant 4, led_a_o2 purchase 100, led_c_o2 purchase 100",
      110,
      1 + 6 * 0.05,
      0,
    ],
    ["of a purchase without an order are counted separately", "led_x purchase 100", 10, 0, 10],
    [
      "of a refunded order bring no revenue",
      "led_a_o2 purchase 100, led_b_o2 purchase 100, led_a_o3 adjustment -100",
      10,
      0.2,
      0,
    ],
  ])("%s", (_what, before, spent, revenue, unpriced) => {
    const lots = lotsOf();
    for (const one of entriesIn(before)) lots.next(one);
    const told = lots.next(entry({ _id: "led_1_debit", kind: "debit", amount: -spent, job_id: "job_1" }));
    expect({ ...told, micros: dollars(told.micros) }).toEqual({ micros: revenue, unpriced, unfounded: 0 });
  });

  test("leave out the part of a job that expiring grants paid", () => {
    const lots = lotsOf();
    lots.next(entry({ _id: "led_m", kind: "grant", amount: 30, expires_at: at(1) }));
    lots.next(entry({ _id: "led_b_o2", kind: "purchase", amount: 100 }));
    const debit = { _id: "led_1_debit", kind: "debit", amount: -40, job_id: "job_1" } as const;
    const told = lots.next(entry({ ...debit, grants: [{ grant_id: "led_m", amount: 30 }] }));
    expect(dollars(told.micros)).toBe(0.2);
  });

  test("are reported as missing for captured credits without a source", () => {
    expect(
      lotsOf().next(entry({ _id: "led_1_debit", kind: "debit", amount: -5, job_id: "job_1" })),
    ).toMatchObject({ unfounded: 5 });
  });

  test("match a model of single credits in any history of purchases, jobs and refunds", () => {
    const step = fc.record({
      what: fc.constantFrom("a", "b", "c", "gift", "job", "job", "part"),
      credits: fc.integer({ min: 1, max: 30 }),
      which: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const lots = lotsOf();
        const jobs = new Map<string, { places: number[]; refunded: boolean }>();
        let [told, expected] = [0, 0];
        const pool: { worth: number; isFree: boolean }[] = [];
        for (const [i, { what, credits, which }] of steps.entries()) {
          if (what === "job") {
            const places = pool.flatMap((credit, place) => (credit.isFree ? [place] : [])).slice(0, credits);
            if (places.length < credits) continue;
            for (const place of places) pool[place] = { worth: pool[place]?.worth ?? 0, isFree: false };
            expected += places.reduce((sum, place) => sum + (pool[place]?.worth ?? 0), 0);
            jobs.set(`job_${i}`, { places, refunded: false });
            told += lots.next(
              entry({ _id: `led_${i}_debit`, kind: "debit", amount: -credits, job_id: `job_${i}` }),
            ).micros;
          } else if (what === "part") {
            const open = [...jobs].filter(([, { refunded }]) => !refunded);
            const [id, job] = open[which % Math.max(1, open.length)] ?? [];
            if (!id || !job) continue;
            const back = job.places.slice(-Math.min(credits, job.places.length));
            for (const place of back) pool[place] = { worth: pool[place]?.worth ?? 0, isFree: true };
            expected -= back.reduce((sum, place) => sum + (pool[place]?.worth ?? 0), 0);
            job.refunded = true;
            told += lots.next(
              entry({ _id: `led_${id}_return`, kind: "refund", amount: back.length, job_id: id }),
            ).micros;
          } else {
            const id = what === "gift" ? `led_g${i}` : `led_${what}_o2`;
            const worth = what === "gift" ? 0 : (PAID[id] ?? 0) * 10_000;
            for (let n = 0; n < credits; n++) pool.push({ worth, isFree: true });
            lots.next(entry({ _id: id, kind: what === "gift" ? "grant" : "purchase", amount: credits }));
          }
        }
        expect(dollars(told)).toBe(dollars(expected));
      }),
    );
  });
});
