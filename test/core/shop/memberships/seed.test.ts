// The member account of the development profile.
import { expect, test } from "vitest";
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
  expect(licences.map(({ product_slug, kind, source }) => [product_slug, kind, source])).toEqual([
    ["lumen-landing", "standard", "grant"],
    ["pioneer-line-icons", "standard", "membership"],
    ["vesper-admin", "client", "purchase"],
    ["isle-docs", "standard", "purchase"],
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
