// The operator's cost of a call: the provider's figure, else the rates of its route, else unknown.
import { describe, expect, test } from "vitest";
import type { CostRate } from "../../../../core/kernel/definitions.ts";
import { type CallRecord, costOf, rateOf, toCostDoc } from "../../../../core/studio/costs/rules.ts";
import { NOW } from "../../../fixtures/docs.ts";

const RATE: CostRate = {
  currency: "USD",
  unit: "image",
  micros: 40_000,
  rules: [{ when: { quality: "high" }, micros: 167_000 }],
};
const PER_SECOND: CostRate = { currency: "EUR", unit: "second", micros: 100_000, rules: [] };
const call = (change: Partial<CallRecord> = {}): CallRecord => ({
  provider: "openai",
  provider_model: "gpt-image-1",
  outcome: "made",
  outputs: 4,
  usage: {},
  ...change,
});
const asked = (params: Record<string, unknown>) => ({ params, characters: 10 });

describe("costOf", () => {
  const cost = (micros: number, currency = "USD", basis = "rate") => ({ micros, currency, basis });
  const failed = { outcome: "failed", outputs: 0 } as const;
  const figure = (amount: number, currency: string) => ({ usage: { cost: { amount, currency } } });
  test.each([
    ["by rate, for the delivered units", call({ outputs: 3 }), RATE, { count: 4 }, cost(120_000)],
    ["by the first matching rule", call(), RATE, { count: 4, quality: "high" }, cost(668_000)],
    [
      "by the provider's report, if it made more",
      call({ outputs: 4, usage: { outputs: 5 } }),
      RATE,
      { count: 4 },
      cost(200_000),
    ],
    [
      "by reported seconds",
      call({ outputs: 1, usage: { seconds: 5.2 } }),
      PER_SECOND,
      { duration_seconds: 8 },
      cost(600_000, "EUR"),
    ],
    [
      "as the provider's figure before any rate",
      call(figure(0.1234567, "USD")),
      RATE,
      { count: 4 },
      cost(123_457, "USD", "provider"),
    ],
    [
      "as the provider's figure for a failed call",
      call({ ...failed, ...figure(0.01, "GBP") }),
      RATE,
      {},
      cost(10_000, "GBP", "provider"),
    ],
    ["as nothing by rate for a failed call", call(failed), RATE, {}, cost(0)],
    ["as unknown, if the outcome is unknown", call({ outcome: "unknown", outputs: 0 }), RATE, {}, {}],
    ["as unknown without a rate", call(), undefined, {}, {}],
  ] as const)("computes the cost %s", (_what, record, rate, params, expected) => {
    expect(costOf(record, rate, asked(params))).toEqual(expected);
  });
});

describe("the record of a call", () => {
  const job = { _id: "job_01", account_id: "acc_1", model_slug: "m", ...asked({ count: 4 }) };
  const at = { at: NOW, epoch: 3, number: 1 };

  test("records job, provider, reference and cost, once by its id", () => {
    expect(toCostDoc(call({ reference: "req_1" }), job, { rate: RATE, ...at })).toEqual({
      _id: "cst_01_3_1",
      account_id: "acc_1",
      job_id: "job_01",
      model_slug: "m",
      provider: "openai",
      provider_model: "gpt-image-1",
      reference: "req_1",
      at: NOW,
      outcome: "made",
      outputs: 4,
      micros: 160_000,
      currency: "USD",
      basis: "rate",
    });
  });

  test("is not stored without a cost or reference, so that the embedded provider needs no write", () => {
    expect(toCostDoc(call(), job, { rate: undefined, ...at })).toBeUndefined();
    expect(toCostDoc(call({ reference: "r" }), job, { rate: undefined, ...at })).not.toHaveProperty("micros");
  });

  test("uses the rate of its own route among the model's", () => {
    const routes = [
      { provider: "a", provider_model: "x", rate: RATE },
      { provider: "b", provider_model: "x", rate: PER_SECOND },
    ];
    expect(rateOf({ costs: routes }, { provider: "b", provider_model: "x" })).toBe(PER_SECOND);
    expect(rateOf({ costs: routes }, { provider: "a", provider_model: "y" })).toBeUndefined();
  });
});
