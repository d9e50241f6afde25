// Prices of plans and tiers: seeded, added to older data, and changed by operators.
import { expect, test } from "vitest";
import { migrate } from "../../../core/entry/migrate.ts";
import { useTestCore } from "../../support/core.ts";
import { refusalOf } from "../../support/refusal.ts";

const core = useTestCore();

const prices = async () =>
  Object.fromEntries(
    (await core.client().models.ListPlans({})).plans.map((row) => [row.plan, row.price_usd]),
  );
const tiers = async () =>
  (await core.client().memberships.ListTiers({})).tiers.map((row) => [
    row.tier,
    row.monthly_price_cents,
    row.yearly_price_cents,
  ]);
const operator = () => core.client("support-desk", ["Admin"]).admin;

test("[SUB-01] plans and tiers get default prices, older data too, and an operator's prices stay", async () => {
  const { db } = core.app.mongo;
  await db.collection("plans").updateMany({}, { $unset: { price_cents: "" } });
  await db
    .collection("membership_tiers")
    .updateMany({}, { $unset: { monthly_price_cents: "", yearly_price_cents: "" } });
  await db.collection("plans").insertOne({
    _id: "house" as never,
    name: "House",
    concurrency: 1,
    api: true,
    monthly_credits: 1,
    order: 9,
  });
  expect(await prices()).toEqual({
    free: undefined,
    starter: undefined,
    pro: undefined,
    studio: undefined,
    house: undefined,
  });
  await migrate(core.app);
  expect(await prices()).toEqual({ free: 0, starter: 9, pro: 29, studio: 99, house: undefined });
  expect(await tiers()).toEqual([
    ["basic", 500, 5_000],
    ["plus", 1_500, 15_000],
  ]);
  await operator().SetPlanPrice({ plan: "pro", price_cents: 3_950 });
  await operator().SetTierPrices({ tier: "plus", monthly_price_cents: 1_999, yearly_price_cents: 0 });
  await migrate(core.app);
  expect(await prices()).toMatchObject({ pro: 39.5 });
  expect(await tiers()).toContainEqual(["plus", 1_999, 0]);
});

test("a price of zero or above the limit is refused", async () => {
  for (const price_cents of [-1, 1, 49, 100_000_001])
    expect(await refusalOf(operator().SetPlanPrice({ plan: "pro", price_cents }))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "price_cents" }],
    });
  expect(await refusalOf(operator().SetPlanPrice({ plan: "gold", price_cents: 100 }))).toMatchObject({
    issues: [{ path: "plan" }],
  });
  const none = { tier: "gold", monthly_price_cents: 100, yearly_price_cents: 100 };
  expect(await refusalOf(operator().SetTierPrices(none))).toMatchObject({ issues: [{ path: "tier" }] });
  const bad = { tier: "plus", monthly_price_cents: 3, yearly_price_cents: -3 };
  expect(await refusalOf(operator().SetTierPrices(bad))).toMatchObject({
    issues: [{ path: "monthly_price_cents" }, { path: "yearly_price_cents" }],
  });
});
