// The Admin service for other services; test/cli/operator.test.ts uses it as operators do.
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AuditTrailDoc } from "../../../../core/identity/audit-trail/store.ts";
import { createRevokedNames } from "../../../../core/kernel/services/revoked-names.ts";
import { AppError } from "../../../../proto/codes.ts";
import { serviceRefusalOf } from "../../../../proto/errors.ts";
import { createCustomer } from "../../../support/app.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { sharedByTests } from "../../../support/shared.ts";

const core = useTestCore();
const client = sharedByTests(async () => core.client("support-desk", ["Admin"]));

const auditTrail = () => core.app.mongo.db.collection<AuditTrailDoc>("admin_log");

/** True when core refused the calling service before it read the call. */
async function serviceRefused(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    (error: unknown) => error instanceof AppError && serviceRefusalOf(error) !== undefined,
  );
}

test("an operator gets each wrong field of a grant", async () => {
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
    await Array.fromAsync(client.admin.Audit({ account: accountId }));
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
