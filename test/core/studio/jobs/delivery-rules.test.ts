// The charge of a job that delivered less or more than requested, or whose provider's report is invalid.
import fc from "fast-check";
import { describe, expect, test, afterAll, beforeAll } from "vitest";
import { ProviderError } from "../../../../core/adapters/providers/provider.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { lastTaken, type Portion, takeSoonest } from "../../../../core/identity/credits/grant-rules.ts";
import { actOnJobs } from "../../../../core/studio/jobs/act-on-many.ts";
import { chargeFor, checkUsage, deliveredOf } from "../../../../core/studio/jobs/delivery-rules.ts";
import { spendingByDay } from "../../../../core/studio/jobs/rules.ts";
import { sumSpending, sumSpendingByKey } from "../../../../core/studio/jobs/spending.ts";
import type { JobCost } from "../../../../core/studio/jobs/store-reads.ts";
import type { PriceUnit } from "../../../../proto/resources/pricing.ts";
import { at } from "../../../fixtures/docs.ts";
import { createCustomer } from "../../../support/app.ts";
import { allOf, createScriptedProvider } from "../../../support/providers.ts";
import { startWholeService, type WholeService } from "../../../support/whole-service.ts";

describe("chargeFor", () => {
  test.each([
    // price, requested, delivered → charged
    [40, 4, 4, 40],
    [40, 4, 3, 30],
    [40, 4, 1, 10],
    [10, 3, 2, 6],
    [10, 3, 1, 3],
    [1, 4, 3, 0],
    [80, 8, 5.2, 52],
    [50, 5, 4.958, 49],
    [30, 2.5, 2.4, 28],
    [40, 4, 5, 40],
    [0, 4, 1, 0],
    [3_600_000_000, 3_600, 3_599.999, 3_599_999_000],
  ])("of %d credits for %d, of which %d were delivered, is %d", (credits, asked, got, charged) => {
    expect(chargeFor(credits, { unit: "output", asked, got })).toBe(charged);
  });

  test("is never above the price or the exact share, within a credit of it, and grows with what was delivered", () => {
    const amounts = fc.tuple(fc.integer({ min: 1, max: 3_600_000 }), fc.integer({ min: 1, max: 4_000_000 }));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600_000_000 }), amounts, (credits, [asked, got]) => {
        const charge = (thousandths: number) =>
          chargeFor(credits, { unit: "second", asked: asked / 1000, got: thousandths / 1000 });
        const charged = charge(got);
        expect(charged).toBeLessThanOrEqual(credits);
        if (got < asked) {
          const [share, whole] = [BigInt(credits) * BigInt(got), BigInt(charged) * BigInt(asked)];
          expect(whole <= share && share - whole < BigInt(asked)).toBe(true);
        } else expect(charged).toBe(credits);
        expect(charge(got + 1)).toBeGreaterThanOrEqual(charged);
      }),
    );
  });
});

describe("deliveredOf", () => {
  const job = (modality: "image" | "video", params: Record<string, unknown>, unit: PriceUnit) => ({
    modality,
    params,
    priced_by: { version: 1, unit, units: 1, credits: 1, when: null },
  });
  const four = job("image", { count: 4 }, "image");
  const eight = job("video", { duration_seconds: 8 }, "second");
  const outputs = (asked: number, got: number) => ({ unit: "output", asked, got });
  const seconds = (asked: number, got: number) => ({ unit: "second", asked, got });
  test.each([
    ["files of images", four, 3, {}, outputs(4, 3)],
    ["one file without a count", job("image", {}, "image"), 1, {}, outputs(1, 1)],
    ["more files than requested", job("image", { count: 2 }, "image"), 5, {}, outputs(2, 5)],
    ["files, for any reported number", four, 3, { outputs: 4 }, outputs(4, 3)],
    ["reported seconds", eight, 1, { seconds: 5.2 }, seconds(8, 5.2)],
    ["the clip, without a report", eight, 1, {}, outputs(1, 1)],
    ["the clip, for a report of 0 seconds", eight, 1, { seconds: 0 }, outputs(1, 1)],
    [
      "the clip, when seconds have no price",
      job("video", { duration_seconds: 8 }, "generation"),
      1,
      { seconds: 2 },
      outputs(1, 1),
    ],
    ["more seconds than requested", eight, 1, { seconds: 9 }, seconds(8, 9)],
  ] as const)("counts %s", (_what, asked, made, usage, expected) => {
    expect(deliveredOf(asked, made, usage)).toEqual(expected);
  });
});

test.each([
  [{ seconds: -1, outputs: 2 }, { outputs: 2 }, ["negative"]],
  [{ seconds: Number.NaN }, {}, ["not_a_number"]],
  [{ outputs: Number.POSITIVE_INFINITY, seconds: -0.5 }, {}, ["not_a_number", "negative"]],
  [{ seconds: 4.5 }, { seconds: 4.5 }, []],
])("a report of %j counts as %j, with the faults %j", (reported, usage, faults) => {
  const checked = checkUsage(reported);
  expect(checked.usage).toEqual(usage);
  expect([...checked.faults].sort()).toEqual([...faults].sort());
});

test("a partial refund leaves captured what a lower price would have taken, from the same grants", () => {
  const grants = fc
    .array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 })
    .map((amounts) => amounts.map((left, i) => ({ grant_id: `led_${i}`, left, expires_at: at(i) })));
  const amounts = (from: readonly Portion[]) =>
    Object.fromEntries(from.map(({ grant_id, amount }) => [grant_id, amount]));
  fc.assert(
    fc.property(grants, fc.integer({ min: 1, max: 40 }), fc.nat(40), (given, taken, some) => {
      const charged = Math.min(some, taken);
      const { from } = takeSoonest(given, taken);
      const back = amounts(lastTaken(from, { taken, back: taken - charged }));
      const stays = from.flatMap((portion) => {
        const amount = portion.amount - (back[portion.grant_id] ?? 0);
        return amount > 0 ? [{ ...portion, amount }] : [];
      });
      expect(stays).toEqual(takeSoonest(given, charged).from);
    }),
  );
});

// The spending of an account by day and model: the rule, and its query.
const job = (change: Partial<JobCost>): JobCost => ({
  model_slug: "picture",
  credits: 10,
  state: "completed",
  created_at: new Date("2026-03-01T10:00:00Z"),
  started_at: new Date("2026-03-01T10:00:01Z"),
  ...change,
});

describe("spendingByDay", () => {
  const since = new Date("2026-03-01");

  test("sums charges by the UTC day on which jobs started and by model, oldest day first", () => {
    const jobs = [
      job({ started_at: new Date("2026-03-02T00:00:00.000Z"), credits: 4 }),
      job({ started_at: new Date("2026-03-01T23:59:59.999Z") }),
      job({ model_slug: "clip", credits: 6 }),
      job({}),
    ];
    expect(spendingByDay(jobs, since)).toEqual([
      { day: "2026-03-01", modelSlug: "clip", credits: 6, jobs: 1 },
      { day: "2026-03-01", modelSlug: "picture", credits: 20, jobs: 2 },
      { day: "2026-03-02", modelSlug: "picture", credits: 4, jobs: 1 },
    ]);
  });

  test("leaves out free and refunded jobs, and jobs that started earlier or not yet", () => {
    const jobs = [
      job({ credits: 0 }),
      job({ refunded_at: new Date("2026-03-01T11:00:00Z") }),
      job({ charged: 6, refunded_at: new Date("2026-03-01T11:00:00Z") }),
      job({ state: "failed" }),
      job({ state: "cancelled", started_at: null }),
      job({ state: "reserved", started_at: null }),
      job({ started_at: new Date("2026-02-28T23:59:59.999Z") }),
    ];
    expect(spendingByDay(jobs, since)).toEqual([]);
  });
});

describe("an account's spending", () => {
  let service: WholeService;
  beforeAll(async () => {
    const provider = createScriptedProvider({
      answer: (request) => {
        if (request.prompt === "fail") throw new ProviderError("provider_refused", "No.");
        return allOf(request);
      },
    });
    service = await startWholeService({ provider });
  });
  afterAll(() => service.close());

  const generate = async (key: string, body: Record<string, unknown>) => {
    const made = await service.call<{ result: { job_id: string } }>("/api/v1/connect/generate", {
      key,
      method: "POST",
      body,
    });
    await service.call(`/api/jobs/${made.body.result.job_id}?wait=20`, { key });
    return made.body.result.job_id;
  };

  test("counts charged jobs of its own account only", async () => {
    const ada = await createCustomer(service.app);
    const eve = await createCustomer(service.app);
    await generate(ada.key, { modality: "image", model_slug: "picture", prompt: "a", params: { count: 2 } });
    await generate(ada.key, { modality: "image", model_slug: "picture", prompt: "fail" });
    const id = await generate(ada.key, { modality: "audio", model_slug: "tune", prompt: "to be refunded" });
    await inTx(service.app, (tx) => actOnJobs(service.app, "refund", [{ id, accountId: ada.accountId }], tx));
    await generate(eve.key, { modality: "audio", model_slug: "tune", prompt: "a" });
    const today = new Date().toISOString().slice(0, 10);
    expect(await sumSpending(service.app, { accountId: ada.accountId, days: 1 })).toEqual({
      since: today,
      complete: true,
      spending: [{ day: today, modelSlug: "picture", credits: 20, jobs: 1 }],
    });
    const { spending: ofKeys } = await sumSpendingByKey(service.app, ada.accountId);
    expect(ofKeys).toMatchObject([{ monthJobs: 3, monthCredits: 20, recentJobs: 3, recentCredits: 20 }]);
    const overTheWire = await service.core.jobs.SumSpending(
      { days: 30 },
      { caller: { kind: "account", accountId: eve.accountId, source: "app" } },
    );
    expect(overTheWire.spending).toEqual([{ day: today, model_slug: "tune", credits: 5, jobs: 1 }]);
  });

  test("reports when there are too many jobs to count", async () => {
    const { accountId, key } = await createCustomer(service.app);
    for (const prompt of ["a", "b"]) await generate(key, { modality: "audio", model_slug: "tune", prompt });
    const query = { accountId, days: 2, atMost: 1 };
    const { spending, complete } = await sumSpending(service.app, query);
    expect({ credits: spending.map(({ credits }) => credits), complete }).toEqual({
      credits: [5],
      complete: false,
    });
    expect(await sumSpending(service.app, { ...query, atMost: 3 })).toMatchObject({ complete: true });

    // The excluded job is older than the requested days by then.
    const later = new Date(Date.now() + 5 * 24 * 60 * 60 * 1000);
    const then = { ...service.app, clock: { now: () => later } };
    expect(await sumSpending(then, query)).toMatchObject({ spending: [], complete: true });
  });

  test.each([0, -1, 91])("is refused for %i days", async (days) => {
    await expect(sumSpending(service.app, { accountId: "acc", days })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "days" }],
    });
  });
});
