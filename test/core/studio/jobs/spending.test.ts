// The spending of an account by day and model: the rule, and its query.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProviderError } from "../../../../core/adapters/providers/provider.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { actOnJobs } from "../../../../core/studio/jobs/act-on-many.ts";
import { spendingByDay } from "../../../../core/studio/jobs/rules.ts";
import { sumSpending, sumSpendingByKey } from "../../../../core/studio/jobs/spending.ts";
import type { JobCost } from "../../../../core/studio/jobs/store-reads.ts";
import { createCustomer } from "../../../support/app.ts";
import { allOf, createScriptedProvider } from "../../../support/providers.ts";
import { startWholeService, type WholeService } from "../../../support/whole-service.ts";

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
