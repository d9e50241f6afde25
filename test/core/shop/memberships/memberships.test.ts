// Memberships over gRPC: who is admitted where and when, on every core.
import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../../../proto/caller.ts";
import { type CoreClient } from "../../../../proto/client.ts";
import { fromMessage } from "../../../../proto/codec.ts";
import { membershipSchema } from "../../../../proto/resources/membership.ts";
import { generateApiKey, hashApiKey, KEY_KINDS } from "../../../../runtime/keys/api-key.ts";
import { createCustomer } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { createMember, memberCaller, provisionKey, supportClient } from "./members.ts";

const NOW = "2026-11-01T12:00:00.000Z";
const DAY_MS = 24 * 60 * 60_000;

const clock = createFakeClock(NOW);
const core = useTestCore({ clock });
const gateway = sharedByTests(async () => core.client());
const support = sharedByTests(async () => supportClient(core));
beforeEach(() => clock.set(NOW));

/** A named call of every service that a member's assistant uses. */
function memberCalls(client: CoreClient, caller: Caller): Record<string, () => Promise<unknown>> {
  const generate = { modality: "image", model_slug: "picture", prompt: "a lighthouse", params_json: "" };
  return {
    Authenticate: () => client.memberships.Authenticate({}, { caller }),
    GetMembership: () => client.memberships.GetMembership({}, { caller }),
    ListLicences: () => client.memberships.ListLicences({}, { caller }),
    ListModels: () => client.models.ListModels({}, { caller }),
    GetBalance: () => client.credits.GetBalance({}, { caller }),
    ListLedger: () => client.credits.ListLedger({}, { caller }),
    ListJobs: () => client.jobs.ListJobs({}, { caller }),
    GetJob: () => client.jobs.GetJob({ job_id: "job_none" }, { caller }),
    Generate: () => client.jobs.Generate(generate, { caller }),
  };
}

test("a member reads the membership together with the plan's rights", async () => {
  const { caller, accountId } = await createMember(core, support, { until: "2027-01-01T00:00:00+01:00" });
  const answer = await gateway.memberships.GetMembership({}, { caller });
  expect(answer.account_id).toBe(accountId);
  const membership = fromMessage(membershipSchema, answer);
  expect(membershipSchema.parse(membership)).toEqual({
    status: "active",
    tier: "plus",
    tier_name: "Plus",
    started_at: NOW,
    current_period_end: "2026-12-31T23:00:00.000Z",
    eligible: true,
    plus_products: true,
    plan: "pro",
    plan_name: "Pro",
    plan_includes_api: true,
    concurrency: 5,
    monthly_credits: 2000,
  });
});

describe("a member's call is refused", () => {
  /** The refusal, the same for all calls. */
  async function refusalOfAll(caller: Caller): Promise<Record<string, unknown>> {
    const refusals = new Map<string, Record<string, unknown>>();
    for (const [name, call] of Object.entries(memberCalls(gateway, caller)))
      refusals.set(name, await refusalOf(call()));
    const [first, ...others] = refusals.values();
    for (const other of others) expect(other).toEqual(first);
    return first ?? {};
  }

  test("without a key, or for a signed-in person on the member tools", async () => {
    const { accountId } = await createMember(core, support);
    expect(await refusalOfAll({ kind: "none" })).toMatchObject({ code: "missing_key" });
    const person: Caller = { kind: "account", accountId, source: "member" };
    expect(await refusalOfAll(person)).toMatchObject({ code: "missing_key" });
  });

  test("[MBS-03] with one error for unknown, revoked and expired keys, and for keys of every other kind", async () => {
    const unknown = await refusalOfAll(memberCaller(generateApiKey("mem")));
    expect(unknown).toMatchObject({ code: "invalid_key" });

    const revoked = await createMember(core, support);
    await support.admin.RevokeMemberKey({ key_id: revoked.keyId });
    expect(await refusalOfAll(revoked.caller)).toEqual(unknown);

    const { accountId } = revoked;
    const brief = await support.admin.ProvisionMemberKey({
      account: accountId,
      name: "brief",
      expires_at: "2026-11-02T00:00:00Z",
    });
    await gateway.memberships.Authenticate({}, { caller: memberCaller(brief.secret) });
    clock.advance(DAY_MS);
    expect(await refusalOfAll(memberCaller(brief.secret))).toEqual(unknown);

    const { key: generationKey } = await createCustomer(core.app);
    expect(await refusalOfAll(memberCaller(generationKey))).toEqual(unknown);
    for (const kind of KEY_KINDS.filter((known) => known !== "mem" && known !== "gen")) {
      const key = generateApiKey(kind);
      const stored = await core.app.mongo.db
        .collection<{ _id: string }>("api_keys")
        .findOne({ _id: hashApiKey(generationKey) });
      await core.app.mongo.db
        .collection<{ _id: string }>("api_keys")
        .insertOne({ ...stored, _id: hashApiKey(key), kind, key_id: `key_${kind}` } as { _id: string });
      expect(await refusalOfAll(memberCaller(key))).toEqual(unknown);
    }
  });

  test("[MBS-05] without a membership, and with one of a tier without the member tools", async () => {
    const { accountId } = await createCustomer(core.app);
    const { caller } = await provisionKey(support, accountId);
    expect(await refusalOfAll(caller)).toMatchObject({
      code: "membership_inactive",
      message: "The account has no membership.",
    });
    await support.admin.SetMembership({ account: accountId, tier: "basic", until: "2027-01-01T00:00:00Z" });
    expect(await refusalOfAll(caller)).toMatchObject({
      code: "membership_inactive",
      message: "The account's Basic membership does not include the member tools.",
    });
    await support.admin.SetMembership({ account: accountId, tier: "plus", until: "2027-01-01T00:00:00Z" });
    await gateway.memberships.Authenticate({}, { caller });
  });
});

test("a generation key reads no membership and no licences", async () => {
  const { caller, accountId } = await createCustomer(core.app);
  await support.admin.SetMembership({ account: accountId, tier: "plus", until: "2027-01-01T00:00:00Z" });
  const { Authenticate, GetMembership, ListLicences } = memberCalls(gateway, caller);
  for (const call of [Authenticate, GetMembership, ListLicences])
    expect(await refusalOf(call?.() ?? Promise.resolve())).toMatchObject({ code: "invalid_key" });
});

test("a signed-in person reads an active, lapsed or missing membership, and licences", async () => {
  const { accountId } = await createCustomer(core.app, { plan: "free" });
  const caller: Caller = { kind: "account", accountId, source: "app" };
  const read = async () =>
    fromMessage(membershipSchema, await gateway.memberships.GetMembership({}, { caller }));
  expect(await read()).toMatchObject({
    status: "none",
    tier: null,
    tier_name: null,
    started_at: null,
    current_period_end: null,
    eligible: false,
    plus_products: false,
    plan: "free",
  });
  await support.admin.SetMembership({ account: accountId, tier: "plus", until: "2026-11-02T00:00:00Z" });
  expect(await read()).toMatchObject({ status: "active", eligible: true });
  clock.advance(DAY_MS);
  expect(await read()).toMatchObject({
    status: "lapsed",
    tier: "plus",
    eligible: false,
    plus_products: false,
  });
  expect((await gateway.memberships.ListLicences({}, { caller })).licences).toEqual([]);
  expect(await refusalOf(gateway.memberships.Authenticate({}, { caller }))).toMatchObject({
    code: "missing_key",
  });
});

test("anyone may list the tiers", async () => {
  expect((await gateway.memberships.ListTiers({})).tiers).toEqual([
    {
      tier: "basic",
      name: "Basic",
      member_tools: false,
      plus_products: false,
      discount_percent: 0,
      monthly_price_cents: 500,
      yearly_price_cents: 5000,
    },
    {
      tier: "plus",
      name: "Plus",
      member_tools: true,
      plus_products: true,
      discount_percent: 20,
      monthly_price_cents: 1500,
      yearly_price_cents: 15000,
    },
  ]);
});
