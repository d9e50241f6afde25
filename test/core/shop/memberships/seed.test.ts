// The member account of the development profile.
import { expect, test } from "vitest";
import { migrate } from "../../../../core/entry/migrate.ts";
import { seedDevelopment } from "../../../../core/entry/seed.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { memberCaller, supportClient } from "./members.ts";

const core = useTestCore({ env: { ATELIER_DEMO_PRODUCTS: "20" } });
const gateway = sharedByTests(async () => core.client());

test("the demonstration account is a member that may generate, with licences of every source", async () => {
  const secrets = await seedDevelopment(core.app, undefined);
  const caller = memberCaller(secrets.member_key);
  expect(await gateway.memberships.Authenticate({}, { caller })).toMatchObject({
    tier: "plus",
    plan_includes_api: true,
  });
  const { licences } = await gateway.memberships.ListLicences({}, { caller });
  expect(licences.map(({ product_slug, kind, source }) => `${product_slug} ${kind} ${source}`)).toEqual([
    "lumen-landing standard grant",
    "pioneer-line-icons standard membership",
    "vesper-admin client purchase",
    "isle-docs standard purchase",
  ]);
});

test("another start keeps keys and licences, and adds a key that an earlier release did not create", async () => {
  const { member_key: _missing, ...earlier } = await seedDevelopment(core.app, undefined);
  const secrets = await seedDevelopment(core.app, earlier);
  expect(secrets).toMatchObject(earlier);
  const caller = memberCaller(secrets.member_key);
  expect(await seedDevelopment(core.app, secrets)).toEqual(secrets);
  expect((await gateway.memberships.ListLicences({}, { caller })).licences).toHaveLength(4);
});

test("the demonstration account has a ticket with support's reply, and another start opens no second one", async () => {
  const { admin } = supportClient(core);
  for (const _start of [1, 2]) {
    await seedDevelopment(core.app, undefined);
    const { tickets } = await admin.ListAllTickets({ limit: 10 });
    expect(tickets.map(({ state }) => state)).toEqual(["answered"]);
  }
});

test("a membership that an operator has ended stays ended at the next start", async () => {
  const secrets = await seedDevelopment(core.app, undefined);
  const caller = memberCaller(secrets.member_key);
  await supportClient(core).admin.EndMembership({ account: "demo@atelier.test" });
  await seedDevelopment(core.app, secrets);
  expect(await refusalOf(gateway.memberships.Authenticate({}, { caller }))).toMatchObject({
    code: "membership_inactive",
  });
});

// Prices of plans and tiers: seeded, added to older data, and changed by operators.
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
  expect(await tiers()).toContainEqual(["plus", 1_999, undefined]);
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
