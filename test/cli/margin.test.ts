// The margin of a month, from accepted jobs to the operator's table and a provider's bill. No customer sees any of it.
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { inTx } from "../../core/base/mongo/in-tx.ts";
import { operatorPanels } from "../../core/entry/operator-panels.ts";
import { giveBoughtCredits } from "../../core/identity/credits/bought-credits.ts";
import { keepMargin } from "../../core/operations/margin/margin.ts";
import { findAnyJob } from "../../core/studio/jobs/get.ts";
import { toJob } from "../../core/studio/jobs/resource.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { type EndedRun, finalizeJobs } from "../../core/studio/runs/finalize.ts";
import type { MarginLineResource } from "../../proto/resources/margin.ts";
import { acceptMany, askFor } from "../support/accept.ts";
import { addTestModel, countParams, createCustomer } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { createFakeClock } from "../support/clock.ts";
import { useFolder } from "../support/shared.ts";
import { useCli } from "./run-cli.ts";

const clock = createFakeClock("2026-11-10T12:00:00.000Z");
let accountId: string;
let jobIds: string[];

const marginBy = async (by: string, month = "2026-11") =>
  (await json<{ lines: MarginLineResource[] }>("margin", "--month", month, "--by", by)).lines;

const output = {
  mime_type: "image/png",
  bytes: 1,
  sha256: "00",
  width: 1,
  height: 1,
  duration_seconds: null,
  expires_at: new Date("2026-12-10"),
};
const call = { provider: "test", provider_model: "test" };

/**
 * A gift of 30 credits, then 1,000 for $20. Of three jobs at 10 credits an image, one delivers 3 of 4 images, one fails, and one makes 2. An
 * image costs the operator $0.012.
 */
const inFolder = useFolder();
const { core, run, json } = useCli({ clock });
beforeAll(async () => {
  const { app } = core;
  await addTestModel(app, {
    model_slug: "priced",
    per: "image",
    params_schema: countParams,
    cost: { currency: "USD", unit: "image", default: 0.012 },
  });
  const customer = await createCustomer(app, { credits: 30 });
  accountId = customer.accountId;
  const orderId = "ord_01ORDER";
  await app.mongo.db.collection<{ _id: string }>("orders").insertOne({
    _id: orderId,
    account_id: accountId,
    kind: "credits",
    amount_cents: 2_000,
    items: [{ credits: 1_000 }],
  } as never);
  await inTx(app, (tx) => giveBoughtCredits(app, tx, { accountId, orderId, seq: 2, credits: 1_000 }));
  jobIds = [];
  for (const [count, made, reference] of [
    [4, 3, "req_a"],
    [1, 0, "req_b"],
    [2, 2, "req_c"],
  ] as const) {
    const [job] = await acceptMany(
      app,
      1,
      askFor(customer.caller, { model_slug: "priced", params: { count } }),
    );
    const [claim] = await claimJobs(app, { worker: "w", limit: 1, leaseMs: 60_000 });
    if (!job || !claim) throw new Error("nothing was claimed");
    jobIds.push(job._id);
    const outputs = Array.from({ length: made }, (_, i) => ({ output_id: `out_${count}${i}`, ...output }));
    const outcome: EndedRun["outcome"] =
      made === 0
        ? { kind: "failed", error: { code: "provider_failed", message: "No." } }
        : {
            kind: "completed",
            outputs,
            ...(made < count && { delivered: { unit: "output", asked: count, got: made } }),
          };
    await finalizeJobs(app, [
      {
        claim,
        outcome,
        files: [],
        calls: [{ ...call, outcome: made > 0 ? "made" : "failed", outputs: made, usage: {}, reference }],
      },
    ]);
  }
});

const EXPECTED = {
  jobs: 3,
  credits_captured: 70,
  credits_refunded: 20,
  credits_expired: 0,
  // 20 credits of the purchase at 2 cents; the gift was spent first.
  revenue_usd: 0.4,
  cost_usd: 0.06,
  margin_usd: 0.34,
  other_costs: [],
  uncosted_jobs: 0,
  unpriced_credits: 0,
  unfounded_credits: 0,
};

describe("margin of a month", () => {
  test.each([
    ["model", "priced"],
    ["provider", "test"],
    ["plan", "pro"],
    ["account", ""],
  ])("[COST-01] by %s sums captured credits, revenue and provider cost", async (by, key) => {
    const lines = await marginBy(by);
    expect(lines.filter(({ jobs }) => jobs > 0)).toEqual([
      { key: by === "account" ? accountId : key, ...EXPECTED },
    ]);
  });

  test("is empty for a month without movements, and refused for an invalid month", async () => {
    expect(await marginBy("model", "2026-10")).toEqual([]);
    const { exitCode, stderr } = await run("margin", "--month", "2026-13");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("must be a month such as 2026-11")]);
  });

  test("[COST-02] is printed as a table with the unexplained part", async () => {
    const { stdout } = await run("margin", "--month", "2026-11");
    expect(stdout).toMatch(/^MODEL +JOBS +CAPTURED +REFUNDED +EXPIRED +REVENUE +COST +MARGIN +UNEXPLAINED\n/);
    expect(stdout).toMatch(/^priced +3 +70 +20 +0 +\$0\.4000 +\$0\.0600 +\$0\.3400 +-$/m);
  });

  test("[COST-03] is computed for the operator's page by one worker, a few times a day", async () => {
    await Promise.all([keepMargin(core.app), keepMargin(core.app)]);
    const panel = operatorPanels(core.app).find(({ title }) => title === "Margin of the month");
    const { rows = [] } = (await panel?.read()) ?? {};
    expect(rows[0]).toEqual([
      "priced",
      "3",
      "70",
      "20",
      "$0.40",
      "$0.06",
      { text: "$0.34", tone: "good" },
      "nothing",
    ]);
    expect(await core.app.mongo.db.collection("margins").countDocuments()).toBe(1);
  });
});

describe("reconcile with a provider's bill", () => {
  const billOf = (lines: readonly string[]) => {
    const path = inFolder("bill.csv");
    writeFileSync(path, ["reference,amount,at", ...lines].map((line) => `${line}\n`).join(""));
    return path;
  };
  const AT = "2026-11-10T12:00:00Z";

  test("[COST-04] exits with 0 when the bill matches calls and ledger, and with 1 and the difference when it does not", async () => {
    const good = [`req_a,0.036,${AT}`, `req_c,0.024,${AT}`];
    expect(await json("reconcile", "test", billOf(good))).toMatchObject({
      matched: 2,
      findings: [],
      unreadable: [],
    });
    const { exitCode, stdout, stderr } = await run(
      "reconcile",
      "test",
      billOf([`req_a,0.048,${AT}`, `req_x,1,${AT}`]),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toBe("error: 3 lines of the bill or the calls could not be explained.\n");
    expect(stdout).toContain("line 2: req_a, billed 0.048 USD, expected 0.036 USD: 0.012 USD too much");
    expect(stdout).toContain("line 3: req_x, 1.00 USD: no call here has this reference");
    expect(stdout).toContain(
      `call of ${jobIds[2]} at 2026-11-10T12:00:00.000Z (req_c), expected 0.024 USD: not in the bill`,
    );
  });
});

test("[COST-06] a job shows no cost, rate or reference, and the audit finds wrong costs", async () => {
  const { db } = core.app.mongo;
  const job = await toJob(core.app, await findAnyJob(core.app, jobIds[0] ?? ""));
  expect(JSON.stringify(job)).not.toMatch(/req_a|micros|0\.036/);
  // The order exists only for its price.
  await db.collection("orders").deleteMany({});
  const sound = ["ledger entry led_01ORDER_o2: is of an order that is not there"];
  expect(await auditFindings(core.app)).toEqual(sound);
  const costs = db.collection("provider_costs");
  for (const [change, words] of [
    [{ job_id: "job_other" }, /its job job_other is not there/],
    [{ micros: -1 }, /costs -1 millionths/],
    [{ currency: null }, /says 36000 of no currency/],
    [{ outputs: 0 }, /is made with 0 outputs/],
  ] as const) {
    const [before] = await costs.find({ reference: "req_a" }).toArray();
    const unset = Object.fromEntries(Object.entries(change).filter(([, value]) => value === null));
    await costs.updateOne(
      { reference: "req_a" },
      Object.keys(unset).length > 0 ? { $unset: unset } : { $set: change },
    );
    expect((await auditFindings(core.app)).join("\n")).toMatch(words);
    if (before) await costs.replaceOne({ _id: before._id }, before);
  }
  expect(await auditFindings(core.app)).toEqual(sound);
});
