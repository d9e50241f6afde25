// Memberships over gRPC: who is admitted where and when, on every core.
import { fromMessage } from "../../../../proto/codec.ts";
import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { openApp, startCore } from "../../../../core/entry/start.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { type CoreClient, createCoreClient } from "../../../../proto/client.ts";
import { membershipSchema } from "../../../../proto/resources/membership.ts";
import { generateApiKey, hashApiKey, KEY_KINDS } from "../../../../runtime/keys/api-key.ts";
import { createMetrics } from "../../../../runtime/ops/metrics.ts";
import { CLAIMS } from "../../../../runtime/config/service-names.ts";
import { loadServiceKey, signServiceToken } from "../../../../runtime/keys/service-token.ts";
import { createCustomer } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { useTestCore } from "../../../support/core.ts";
import { createInstantProvider } from "../../../support/providers.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { createMember, memberCaller, provisionKey, supportClient } from "./members.ts";
import { sharedByTests } from "../../../support/shared.ts";

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

describe("a member", () => {
  test("is authenticated by key, with tier and plan", async () => {
    const member = await createMember(core, support);
    expect(await gateway.memberships.Authenticate({}, { caller: member.caller })).toEqual({
      account_id: member.accountId,
      key_id: member.keyId,
      tier: "plus",
      plan: "pro",
      plan_includes_api: true,
    });
  });

  test("reads the membership together with the plan's rights", async () => {
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

  test("generates and reads jobs and credits like any key of the account, except for the source", async () => {
    const { caller, accountId, keyId } = await createMember(core, support, { credits: 30 });
    const { job_id } = await gateway.jobs.Generate(
      { modality: "image", model_slug: "picture", prompt: "a lighthouse" },
      { caller },
    );
    expect(await gateway.jobs.GetJob({ job_id }, { caller })).toMatchObject({ job_id, state: "reserved" });
    expect((await gateway.jobs.ListJobs({}, { caller })).jobs).toHaveLength(1);
    expect(await gateway.credits.GetBalance({}, { caller })).toMatchObject({ available: 20, held: 10 });
    const { entries } = await gateway.credits.ListLedger({}, { caller });
    expect(entries[0]).toMatchObject({ kind: "reserve", hold: 10, source: "member", key_id: keyId, job_id });
    const person: Caller = { kind: "account", accountId, source: "app" };
    expect((await gateway.credits.ListLedger({}, { caller: person })).entries).toEqual(entries);
  });

  test("does not see the jobs of another account", async () => {
    const { caller } = await createMember(core, support);
    const other = await createMember(core, support);
    const { job_id } = await gateway.jobs.Generate(
      { modality: "image", model_slug: "picture", prompt: "mine" },
      { caller: other.caller },
    );
    const foreign = await refusalOf(gateway.jobs.GetJob({ job_id }, { caller }));
    expect(foreign).toEqual(await refusalOf(gateway.jobs.GetJob({ job_id: "job_none" }, { caller })));
    expect(foreign).toMatchObject({ code: "job_not_found" });
  });

  test("[MBS-07] on a plan without the API reads everything and is refused only generation", async () => {
    const { caller } = await createMember(core, support, { plan: "free" });
    expect(await gateway.memberships.Authenticate({}, { caller })).toMatchObject({
      plan: "free",
      plan_includes_api: false,
    });
    const { Generate, GetJob, ...reads } = memberCalls(gateway, caller);
    for (const read of Object.values(reads)) await read();
    expect(await refusalOf(GetJob?.() ?? Promise.resolve())).toMatchObject({ code: "job_not_found" });
    expect(await refusalOf(Generate?.() ?? Promise.resolve())).toMatchObject({ code: "plan_excludes_api" });
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

  test("while the account is suspended, even with a lapsed membership", async () => {
    const { caller, accountId } = await createMember(core, support, { until: "2026-12-01T00:00:00Z" });
    await support.admin.SetAccountStatus({ account: accountId, status: "suspended" });
    expect(await refusalOfAll(caller)).toMatchObject({ code: "account_suspended" });
    clock.advance(60 * DAY_MS);
    expect(await refusalOfAll(caller)).toMatchObject({ code: "account_suspended" });
    await support.admin.SetAccountStatus({ account: accountId, status: "active" });
    expect(await refusalOfAll(caller)).toMatchObject({ code: "membership_inactive" });
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

  test("[MBS-01] from the moment the membership ends, between two calls, until it is renewed", async () => {
    const { caller, accountId } = await createMember(core, support, { until: "2026-11-01T12:00:01Z" });
    clock.advance(999);
    await gateway.memberships.Authenticate({}, { caller });
    clock.advance(1);
    expect(await refusalOfAll(caller)).toMatchObject({
      code: "membership_inactive",
      message: "The account's Plus membership ended on 2026-11-01T12:00:01.000Z.",
    });
    await support.admin.SetMembership({ account: accountId, tier: "plus", until: "2026-12-01T00:00:00Z" });
    await gateway.memberships.Authenticate({}, { caller });
  });
});

describe("a member key", () => {
  test("opens only the member tools, and looks unknown everywhere else", async () => {
    const { key } = await createMember(core, support);
    for (const source of ["api", "mcp", "app", "system"] as const) {
      const caller: Caller = { kind: "key", keySha256: hashApiKey(key), source };
      const unknown: Caller = { kind: "key", keySha256: hashApiKey(generateApiKey("mem")), source };
      for (const [name, call] of Object.entries(memberCalls(gateway, caller))) {
        const refusal = await refusalOf(call());
        expect(refusal, name).toMatchObject({ code: "invalid_key" });
        expect(refusal).toEqual(
          await refusalOf(memberCalls(gateway, unknown)[name]?.() ?? Promise.resolve()),
        );
      }
    }
  });

  test("manages neither keys nor secrets", async () => {
    const { caller, keyId } = await createMember(core, support);
    const { accounts } = gateway;
    const attempts = [
      () => accounts.CreateKey({ name: "more", scope: "write" }, { caller }),
      () => accounts.ListKeys({}, { caller }),
      () => accounts.RevokeKey({ key_id: keyId }, { caller }),
      () => accounts.RotateCallbackSecret({}, { caller }),
    ];
    for (const attempt of attempts)
      expect(await refusalOf(attempt())).toMatchObject({ code: "insufficient_scope" });
  });
});

describe("a generation key", () => {
  test("reads no membership and no licences", async () => {
    const { caller, accountId } = await createCustomer(core.app);
    await support.admin.SetMembership({ account: accountId, tier: "plus", until: "2027-01-01T00:00:00Z" });
    const { Authenticate, GetMembership, ListLicences } = memberCalls(gateway, caller);
    for (const call of [Authenticate, GetMembership, ListLicences])
      expect(await refusalOf(call?.() ?? Promise.resolve())).toMatchObject({ code: "invalid_key" });
  });
});

describe("a signed-in person", () => {
  test("reads an active, lapsed or missing membership, and licences", async () => {
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

describe("two cores on one database", () => {
  /** A second core that shares only the database and the service key. */
  async function withSecondCore(work: (client: CoreClient) => Promise<void>): Promise<void> {
    const { config, mongo } = core.app;
    const second = await openApp({
      config: { ...config, mongoDatabase: mongo.db.databaseName },
      log: pino({ level: "silent" }),
      metrics: createMetrics(),
      mongodbUri: mongo.uri,
      providers: new Map([["test", createInstantProvider()]]),
    });
    const { address, close } = await startCore(second.app);
    const pem = loadServiceKey(config, "cli");
    const client = createCoreClient({
      address,
      serviceToken: () => signServiceToken(pem, "test", CLAIMS, 60),
    });
    try {
      await work(client);
    } finally {
      client.close();
      await close();
      await second.close();
    }
  }

  test("[MBS-02] refuse a key revoked at the other on its next call", async () => {
    await withSecondCore(async (other) => {
      const { caller, keyId } = await createMember(core, support);
      const { Generate } = memberCalls(other, caller);
      await Generate?.();
      await other.memberships.Authenticate({}, { caller });
      await support.admin.RevokeMemberKey({ key_id: keyId });
      for (const call of Object.values(memberCalls(other, caller)))
        expect(await refusalOf(call())).toMatchObject({ code: "invalid_key" });
    });
  });

  test("[MBS-01] refuse a membership ended at the other from its next call", async () => {
    // The second core uses the real time.
    clock.set(new Date());
    await withSecondCore(async (other) => {
      const { caller, accountId } = await createMember(core, support);
      const { Generate } = memberCalls(other, caller);
      await Generate?.();
      await support.admin.EndMembership({ account: accountId });
      for (const call of Object.values(memberCalls(other, caller)))
        expect(await refusalOf(call())).toMatchObject({ code: "membership_inactive" });
    });
  });
});
