// The audit trail over gRPC is complete, in order, and has a reason where one is required.
import type { ServiceDefinition } from "@grpc/proto-loader";
import { describe, expect, test } from "vitest";
import type { AuditTrailDoc } from "../../../../core/identity/audit-trail/store.ts";
import type { CoreClient } from "../../../../proto/client.ts";
import { AppError } from "../../../../proto/codes.ts";
import { atelierV1 } from "../../../../proto/load.ts";
import type { AuditTrailEntry } from "../../../../proto/types/atelier/v1/AuditTrailEntry.ts";
import { createCustomer } from "../../../support/app.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";

/** Reads by name, the audit, which only counts, a price, and a dry run, which moves nothing. */
const READS = /^(Get|List|Export|Audit|Find|PlanBulk)/;

const core = useTestCore();

const clientOf = (operator: string, reason: string): CoreClient =>
  core.client("support-desk", ["Admin", "CatalogAdmin"], undefined, { operator, reason });

const grace = sharedByTests(async () => clientOf("Grace", "ticket 7"));
const auditTrail = () => core.app.mongo.db.collection<AuditTrailDoc>("admin_log");

const trail = async (request = {}): Promise<AuditTrailEntry[]> =>
  (await clientOf("", "").admin.ListAuditTrail(request)).entries;

/** Every write of the operators' services, as a call with an empty request. */
function writesOf(client: CoreClient): [name: string, call: () => Promise<unknown>][] {
  const services: [ServiceDefinition, CoreClient["admin"] | CoreClient["catalogAdmin"]][] = [
    [atelierV1.Admin.service as unknown as ServiceDefinition, client.admin],
    [atelierV1.CatalogAdmin.service as unknown as ServiceDefinition, client.catalogAdmin],
  ];
  return services.flatMap(([definition, calls]) =>
    Object.entries(definition)
      .filter(([name]) => !READS.test(name))
      .map(([name, { requestStream, responseStream }]): [string, () => Promise<unknown>] => [
        name,
        async () => {
          const call = (calls as unknown as Record<string, (request: object) => unknown>)[name] ?? fail(name);
          const answer = call(requestStream ? emptyMessages() : {});
          return responseStream ? Array.fromAsync(answer as AsyncIterable<unknown>) : answer;
        },
      ]),
  );
}

async function* emptyMessages(): AsyncGenerator<object> {
  yield {};
}

function fail(name: string): never {
  throw new Error(`the client has no ${name}`);
}

/** The result is ignored: an empty request is mostly refused. */
async function settle(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

test("every write of the operators' services is recorded with operator, reason and outcome", async () => {
  const writes = writesOf(clientOf("Grace Höpper", "ticket 7 – zurück"));
  expect(writes.length).toBeGreaterThan(18);
  for (const [name, call] of writes) {
    const answer = await settle(call);
    expect(answer instanceof AppError && answer.code === "internal", name).toBe(false);
    expect((await trail({ limit: 1 }))[0], name).toMatchObject({
      method: name,
      service: "support-desk",
      operator: "Grace Höpper",
      reason: "ticket 7 – zurück",
      outcome: answer instanceof AppError ? answer.code : "done",
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  }
});

describe("a reason", () => {
  test.each([
    ["reason", "Grace", "  "],
    ["operator", " ", "ticket 7"],
  ])(
    "[SIGN-09] is required by every write, and so is the operator: no %s",
    async (missing, operator, reason) => {
      const writes = writesOf(clientOf(operator, reason));
      const demanding: string[] = [];
      for (const [name, call] of writes) {
        const answer = await settle(call);
        if (answer instanceof AppError && answer.issues?.some(({ path }) => path === missing))
          demanding.push(name);
      }
      expect(demanding).toEqual(writes.map(([name]) => name));
    },
  );

  test("has at most 200 characters", async () => {
    const { accountId } = await createCustomer(core.app);
    const long = clientOf("Grace", "r".repeat(201));
    expect(await refusalOf(long.admin.SetPlan({ account: accountId, plan: "studio" }))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "reason" }],
    });
    expect((await clientOf("", "").admin.GetAccount({ account: accountId })).plan).toBe("pro");
  });

  test("that is missing still leaves a record of the attempt", async () => {
    const { accountId } = await createCustomer(core.app);
    await refusalOf(clientOf("Mallory", "").admin.ProvisionMemberKey({ account: accountId, name: "mine" }));
    expect(await trail({ target: accountId })).toMatchObject([
      {
        method: "ProvisionMemberKey",
        operator: "Mallory",
        reason: "",
        detail: "mine",
        outcome: "invalid_request",
      },
    ]);
  });
});

test("the audit trail is listed in pages, newest first, and refuses an invalid limit or cursor", async () => {
  const { accountId } = await createCustomer(core.app);
  const client = clientOf("Grace", "ticket 8");
  for (const plan of ["free", "starter", "pro", "studio", "free"])
    await client.admin.SetPlan({ account: accountId, plan });
  const details: string[] = [];
  let cursor = "";
  do {
    const page = await client.admin.ListAuditTrail({ target: accountId, limit: 2, cursor });
    details.push(...page.entries.map(({ detail }) => detail));
    cursor = page.next_cursor;
  } while (cursor);
  expect(details).toEqual(["free", "studio", "pro", "starter", "free"]);
  for (const wrong of [{ limit: 101 }, { limit: -1 }, { cursor: "nonsense" }])
    expect(await refusalOf(client.admin.ListAuditTrail(wrong))).toMatchObject({ code: "invalid_request" });
});

test("the audit trail says in numbers what a change left", async () => {
  await grace.admin.PauseProvider({ provider: "test" });
  await grace.admin.ResumeProvider({ provider: "test" });
  expect(await trail({ target: "test", limit: 2 })).toMatchObject([
    { method: "ResumeProvider", outcome: "done", result: "open; 0 waiting for it" },
    { method: "PauseProvider", outcome: "done", result: "paused; 0 waiting for it" },
  ]);
});

test("an outcome that cannot be recorded stays unknown, and the operator still gets the result", async () => {
  const { accountId } = await createCustomer(core.app);
  const log = core.app.mongo.db.collection("admin_log");
  const { db } = core.app.mongo;
  await db.command({ collMod: "admin_log", validator: { outcome: null }, validationLevel: "strict" });
  try {
    const client = clientOf("Grace", "ticket 10");
    expect(await client.admin.SetPlan({ account: accountId, plan: "studio" })).toMatchObject({
      plan: "studio",
    });
    expect(await trail({ target: accountId })).toMatchObject([{ method: "SetPlan", outcome: "" }]);
  } finally {
    await db.command({ collMod: "admin_log", validator: {} });
  }
  expect(await log.countDocuments({ target: accountId, outcome: null })).toBe(1);
});

test("the audit trail never contains a secret", async () => {
  const { accountId } = await createCustomer(core.app);
  const { secret } = await clientOf("Grace", "ticket 9").admin.ProvisionMemberKey({
    account: accountId,
    name: "hidden",
  });
  const stored = await core.app.mongo.db.collection("admin_log").find().toArray();
  expect(stored.length).toBeGreaterThan(0);
  expect(JSON.stringify(stored)).not.toContain(secret.slice("atl_mem_".length));
});

test("an operator gets each wrong field of a grant", async () => {
  const { accountId } = await createCustomer(core.app);
  const wrong = {
    account: accountId,
    amount: 1,
    kind: "refund",
    memo: "m".repeat(201),
    idempotency_key: "k".repeat(256),
  };
  expect(await refusalOf(grace.admin.GrantCredits(wrong))).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "kind" }, { path: "memo" }, { path: "idempotency_key" }],
  });
  expect(
    await refusalOf(grace.admin.GrantCredits({ account: accountId, amount: -5, kind: "grant" })),
  ).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "amount" }],
  });
});

test("a refused write is recorded, with at most a line of the input", async () => {
  const target = `nobody-${"x".repeat(5_000)}`;
  expect(await refusalOf(grace.admin.SetPlan({ account: target, plan: "pro" }))).toMatchObject({
    code: "not_found",
  });
  const rows = await auditTrail()
    .find({ target: target.slice(0, 200) })
    .toArray();
  expect(rows).toMatchObject([{ what: "SetPlan", detail: "pro", outcome: "not_found" }]);
});

test("reading leaves no record on the audit trail", async () => {
  const { accountId } = await createCustomer(core.app);
  const before = await auditTrail().countDocuments();
  await grace.admin.GetAccount({ account: accountId });
  await grace.admin.ListAllModels({});
  await Array.fromAsync(grace.admin.Audit({ account: accountId }));
  expect(await auditTrail().countDocuments()).toBe(before);
});
