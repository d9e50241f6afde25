// Workflows in an account's export and deletion.
import { beforeAll, expect, test, onTestFinished } from "vitest";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { deleteAccount, eraseDeletedAccounts } from "../../../../core/operations/privacy/erase-accounts.ts";
import { exportAccount } from "../../../../core/operations/privacy/export-account.ts";
import { archiveOld } from "../../../../core/operations/retention/archive-old.ts";
import { listOwnDeliveries } from "../../../../core/studio/jobs/deliveries.ts";
import { deliveries } from "../../../../core/studio/webhooks/store.ts";
import { sweepWorkflows } from "../../../../core/studio/workflows/advancer.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import { findOwnWorkflow } from "../../../../core/studio/workflows/get.ts";
import { listWorkflows } from "../../../../core/studio/workflows/list.ts";
import type { WorkflowDoc } from "../../../../core/studio/workflows/store.ts";
import { createCustomer, createTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { createScriptedProvider } from "../../../support/providers.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { addTakingModels, picture, redraw, run, startWork, show } from "./fixtures.ts";

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

// Old workflows move into the archive with their jobs, and responses stay the same.
const DAY_MS = 24 * 60 * 60 * 1000;
const SIZES = { least: { jobs: 1, entries: 1 }, most: { jobs: 3, entries: 4 } };

test("an archived workflow is shown, listed, exported and audited as before", async () => {
  const clock = createFakeClock();
  const { app, close } = await createTestApp({ clock, env: { ATELIER_ARCHIVE_AFTER_DAYS: "100" } });
  onTestFinished(close);
  await addTakingModels(app);
  const { accountId, caller } = await createCustomer(app);
  const request = {
    steps: [picture("a"), redraw("b", "step:a")],
    metadata: { order: "7" },
    callback_url: "https://example.com/hook",
  };
  const made: WorkflowDoc[] = [];
  for (let n = 0; n < 4; n++) {
    clock.advance(DAY_MS);
    const { workflow } = await run(app, caller, request, `key-${n}`);
    await cancelWorkflow(app, { accountId, workflowId: workflow._id });
    made.push(workflow);
  }
  await deliveries(app.mongo.db).updateMany({}, { $set: { status: "delivered", next_attempt_at: null } });
  const live = await run(app, caller, { steps: [picture("x"), picture("y")] });
  const list = (cursor: string) => listWorkflows(app, { accountId, limit: 4, cursor });
  const walkDeliveries = async (cursor: string): Promise<string[]> => {
    const page = await listOwnDeliveries(app, { accountId, limit: 1, cursor, status: "", jobId: "" });
    const ids = page.rows.map(({ _id }) => _id);
    return page.nextCursor === "" ? ids : [...ids, ...(await walkDeliveries(page.nextCursor))];
  };
  const seen = async () => ({
    shown: await Promise.all(made.map((workflow) => show(app, workflow))),
    listed: await list(""),
    // It begins within a segment.
    listedBehind: await list((await list("")).nextCursor),
    cancelled: await listWorkflows(app, { accountId, limit: 50, cursor: "", state: "cancelled" }),
    deliveries: await walkDeliveries(""),
    exported: {
      ...(JSON.parse((await Array.fromAsync(exportAccount(app, accountId))).join("")) as object),
      exported_at: "",
    },
  });
  clock.advance(98.5 * DAY_MS);
  const before = await seen();
  expect(before.cancelled.workflows).toHaveLength(4);
  expect(before.deliveries).toHaveLength(4);
  await archiveOld(app, undefined, SIZES);
  // Recent and running workflows stay.
  const count = (name: string) => app.mongo.db.collection(name).countDocuments();
  expect([await count("workflows"), await count("deliveries")]).toEqual([3, 2]);
  expect(await seen()).toEqual(before);
  expect(await auditFindings(app)).toEqual([]);
  const refused = findOwnWorkflow(app, { accountId: "acc_other", workflowId: made[0]?._id ?? "" });
  await expect(refused).rejects.toMatchObject({ code: "workflow_not_found" });
  expect(await show(app, live.workflow)).toMatchObject({ state: "running" });
  await app.mongo.db.collection("archive_segments").deleteMany({ kind: "workflows" });
  expect((await auditFindings(app)).join("\n")).toMatch(/names the workflow wfl_\w+, of which it is no step/);
});
