// Workflows in an account's export and deletion.
import { beforeAll, expect, test } from "vitest";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { deleteAccount, eraseDeletedAccounts } from "../../../../core/operations/privacy/erase-accounts.ts";
import { exportAccount } from "../../../../core/operations/privacy/export-account.ts";
import { deliveries } from "../../../../core/studio/webhooks/store.ts";
import { sweepWorkflows } from "../../../../core/studio/workflows/advancer.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import { createCustomer, createTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider } from "../../../support/providers.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { addTakingModels, picture, redraw, run, startWork } from "./fixtures.ts";

const provider = createScriptedProvider();
const testApp = sharedByTests(() => createTestApp({ provider }));
beforeAll(() => addTakingModels(testApp.app));

/** Text that identifies the owner. */
const WORDS = "unmistakable-words";
const request = {
  steps: [picture(WORDS), redraw("b", `step:${WORDS}`, { prompt: WORDS })],
  metadata: { [WORDS]: WORDS },
  callback_url: `https://${WORDS}.example.com/hook`,
};

test("an export includes workflows with their deliveries, and a deleted account keeps only counted facts", async () => {
  const { app } = testApp;
  const { accountId, caller } = await createCustomer(app);
  const ended = await run(app, caller, request, WORDS);
  await cancelWorkflow(app, { accountId, workflowId: ended.workflow._id });
  const going = await run(app, caller, request);
  const exported = JSON.parse((await Array.fromAsync(exportAccount(app, accountId))).join("")) as {
    workflows: { workflow_id: string; deliveries: { event: string }[] }[];
  };
  expect(exported.workflows).toMatchObject([
    { workflow_id: going.workflow._id, deliveries: [] },
    { workflow_id: ended.workflow._id, deliveries: [{ event: "workflow.cancelled" }] },
  ]);
  startWork(app);
  const call = await waitFor("the first step to run", () => provider.calls[0]);
  const { email = "" } = (await accounts(app.mongo.db).findOne({ _id: accountId })) ?? {};
  await deleteAccount(app, accountId, email);
  expect(await eraseDeletedAccounts(app)).toBe(0);
  call.finish();
  await waitFor("everything to be erased", async () => {
    await sweepWorkflows(app);
    await eraseDeletedAccounts(app);
    return app.mongo.db.collection("account_deletions").findOne({ erased_at: { $ne: null } });
  });
  for (const name of ["workflows", "jobs", "deliveries", "idempotency_keys"]) {
    const left = await app.mongo.db.collection(name).find().toArray();
    expect(JSON.stringify(left), name).not.toContain(WORDS);
  }
  expect(await deliveries(app.mongo.db).countDocuments()).toBe(0);
  const left = await app.mongo.db.collection("workflows").find().sort({ _id: 1 }).toArray();
  expect(left).toMatchObject([
    { state: "cancelled", credits: 14, steps: [{ id: "" }, { id: "" }] },
    { state: "cancelled", credits: 14, steps: [{ id: "" }, { id: "" }] },
  ]);
  expect(await auditFindings(app)).toEqual([]);
});
