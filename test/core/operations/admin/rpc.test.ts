import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditTrailDoc } from "../../../../core/identity/audit-trail/store.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { createRevokedNames } from "../../../../core/kernel/services/revoked-names.ts";
import type { CoreClient } from "../../../../proto/client.ts";
import { AppError } from "../../../../proto/codes.ts";
import { serviceRefusalOf } from "../../../../proto/errors.ts";
import type { AuditReport } from "../../../../proto/types/atelier/v1/AuditReport.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { createCustomer } from "../../../support/app.ts";
import { startTestCore, type TestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { waitFor } from "../../../support/wait-for.ts";

let core: TestCore;
let client: CoreClient;
beforeAll(async () => {
  core = await startTestCore();
  client = core.client("support-desk", ["Admin"]);
});
afterAll(() => core.close());

const auditTrail = () => core.app.mongo.db.collection<AuditTrailDoc>("admin_log");

async function audit(account: string): Promise<AuditReport[]> {
  const reports: AuditReport[] = [];
  for await (const report of client.admin.Audit({ account })) reports.push(report);
  return reports;
}

/** True when core refused the calling service before it read the call. */
async function serviceRefused(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    (error: unknown) => error instanceof AppError && serviceRefusalOf(error) !== undefined,
  );
}

describe("an operator", () => {
  test("creates an account, changes its plan, grants credits and creates a key", async () => {
    const made = await client.admin.CreateAccount({ email: "Op@Example.com", name: "Op", plan: "free" });
    expect(made).toMatchObject({
      email: "op@example.com",
      plan: "free",
      status: "active",
      credits: { available: 50 },
    });
    const account = made.account_id;
    expect(await client.admin.SetPlan({ account: "op@example.com", plan: "pro" })).toMatchObject({
      plan: "pro",
    });
    const grant = { account, amount: 500, kind: "grant", memo: "welcome", idempotency_key: "once" };
    const entry = await client.admin.GrantCredits(grant);
    expect(entry).toMatchObject({
      seq: 2,
      kind: "grant",
      amount: 500,
      balance_after: 550,
      memo: "welcome",
      source: "system",
    });
    expect(await client.admin.GrantCredits(grant)).toEqual(entry);
    expect(await client.admin.GetAccount({ account })).toMatchObject({
      plan: "pro",
      credits: { balance: 550, available: 550 },
    });

    const { secret, key } = await client.admin.CreateAccountKey({
      account,
      key: { name: "first", scope: "write" },
    });
    const caller = { kind: "key", keySha256: hashApiKey(secret), source: "api" } as const;
    const { accounts } = core.client();
    expect(await accounts.Authenticate({ required_scope: "write" }, { caller })).toMatchObject({
      account_id: account,
    });
    expect(await client.admin.RevokeAccountKey({ key_id: key?.key_id ?? "" })).toMatchObject({
      name: "first",
    });
    expect(await refusalOf(accounts.Authenticate({ required_scope: "write" }, { caller }))).toMatchObject({
      code: "invalid_key",
    });
  });

  test("suspends and restores an account", async () => {
    const { accountId } = await createCustomer(core.app);
    expect(await client.admin.SetAccountStatus({ account: accountId, status: "suspended" })).toMatchObject({
      status: "suspended",
    });
    expect(await client.admin.SetAccountStatus({ account: accountId, status: "active" })).toMatchObject({
      status: "active",
    });
  });

  test("gets each wrong field of a grant", async () => {
    const { accountId } = await createCustomer(core.app);
    const wrong = {
      account: accountId,
      amount: 1,
      kind: "refund",
      memo: "m".repeat(201),
      idempotency_key: "k".repeat(256),
    };
    expect(await refusalOf(client.admin.GrantCredits(wrong))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "kind" }, { path: "memo" }, { path: "idempotency_key" }],
    });
    expect(
      await refusalOf(client.admin.GrantCredits({ account: accountId, amount: -5, kind: "grant" })),
    ).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "amount" }],
    });
  });

  test("lists, adds and retires models", async () => {
    const model = {
      model_slug: "new-one",
      name: "New one",
      modality: "image",
      description: "Added by a test.",
      credits: 3,
      per: "generation",
      estimated_seconds: 2,
      max_prompt_length: 500,
      params_schema_json: JSON.stringify({ type: "object", properties: {}, additionalProperties: false }),
      provider: "test",
    };
    const added = await client.admin.AddModel({
      model,
      provider_model: "x",
      run_timeout_seconds: 30,
      provider_options_json: "",
    });
    expect(added).toMatchObject({ ...model, status: "live" });
    expect(await client.admin.PauseModel({ model_slug: "new-one" })).toMatchObject({ status: "paused" });
    expect(await client.admin.ResumeModel({ model_slug: "new-one" })).toMatchObject({ status: "live" });
    expect(await client.admin.RetireModel({ model_slug: "new-one" })).toMatchObject({ status: "retired" });
    const { models } = await client.admin.ListAllModels({ modality: "image" });
    expect(models.map(({ model_slug, status }) => [model_slug, status])).toContainEqual([
      "new-one",
      "retired",
    ]);
    expect(models.every(({ modality }) => modality === "image")).toBe(true);
  });

  test("audits one account or all, and gets the findings", async () => {
    const { accountId } = await createCustomer(core.app, { credits: 70 });
    const book = [
      { name: "accounts", credits: 70 },
      { name: "grants", credits: -70 },
    ];
    expect(await audit(accountId)).toEqual([
      { accounts: 1, entries: 1, jobs: 0, book, findings: [], done: true },
    ]);
    expect((await audit("")).at(-1)).toMatchObject({
      accounts: await accounts(core.app.mongo.db).countDocuments(),
      done: true,
    });
    await accounts(core.app.mongo.db).updateOne({ _id: accountId }, { $inc: { balance: 1 } });
    const findings = (await audit(accountId)).flatMap((report) => report.findings);
    expect(findings).toEqual([{ account_id: accountId, what: expect.stringContaining("balance") }]);
    await accounts(core.app.mongo.db).updateOne({ _id: accountId }, { $inc: { balance: -1 } });
    await expect(audit("acc_unknown")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("every write of an operator", () => {
  test("is recorded: operator, action, target, time and request", async () => {
    const { accountId } = await createCustomer(core.app);
    await client.admin.SetPlan({ account: accountId, plan: "studio" }, { requestId: "req_of_the_test" });
    expect(await auditTrail().find({ target: accountId }).toArray()).toEqual([
      {
        _id: expect.stringMatching(/^adm_/),
        who: "support-desk",
        operator: "Grace",
        what: "SetPlan",
        target: accountId,
        detail: "studio",
        reason: "ticket 7",
        at: expect.any(Date),
        request_id: "req_of_the_test",
        outcome: "done",
      },
    ]);
  });

  test("is recorded when refused, with at most a line of the input", async () => {
    const target = `nobody-${"x".repeat(5_000)}`;
    expect(await refusalOf(client.admin.SetPlan({ account: target, plan: "pro" }))).toMatchObject({
      code: "not_found",
    });
    const rows = await auditTrail()
      .find({ target: target.slice(0, 200) })
      .toArray();
    expect(rows).toMatchObject([{ what: "SetPlan", detail: "pro", outcome: "not_found" }]);
  });

  test("records no secret", async () => {
    const { accountId } = await createCustomer(core.app);
    const { secret } = await client.admin.CreateAccountKey({
      account: accountId,
      key: { name: "hidden", scope: "read" },
    });
    expect(JSON.stringify(await auditTrail().find().toArray())).not.toContain(
      secret.slice("atl_gen_".length),
    );
  });

  test("is a write: reading leaves no record", async () => {
    const { accountId } = await createCustomer(core.app);
    const before = await auditTrail().countDocuments();
    await client.admin.GetAccount({ account: accountId });
    await client.admin.ListAllModels({});
    await audit(accountId);
    expect(await auditTrail().countDocuments()).toBe(before);
  });
});

describe("the Admin service", () => {
  test("refuses a token that does not name its scope, and one of an unknown key", async () => {
    const other = core.client("reports", ["Accounts", "Callbacks", "Credits", "Jobs", "Models"]);
    expect(await serviceRefused(other.admin.GetAccount({ account: "x" }))).toBe(true);
    expect(await serviceRefused(other.models.ListPlans({}))).toBe(false);
    // Signed with a key that this core does not know.
    const forged = core.client("support-desk", ["Models"], generateKeyPairSync("ed25519").privateKey);
    expect(await serviceRefused(forged.models.ListPlans({}))).toBe(true);
  });

  test("refuses a revoked name within a second, with every token of that name", async () => {
    const billing = core.client("billing", ["Models"]);
    await billing.models.ListPlans({});
    await client.admin.RevokeServiceName({ name: "billing" });
    await waitFor("the name to be refused", () => serviceRefused(billing.models.ListPlans({})));
    expect(await serviceRefused(core.client("billing", ["Models"]).models.ListPlans({}))).toBe(true);
    expect(await createRevokedNames(core.app).isRevoked("billing")).toBe(true);
    await client.admin.GetAccount({ account: (await createCustomer(core.app)).accountId });
  });
});
