// Faults planted in correct workflows: the audit names exactly each of them.
import type { Document } from "mongodb";
import { beforeAll, expect, test } from "vitest";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { picture, run, tune } from "../../studio/workflows/fixtures.ts";

/** One running workflow with a completed, a running and a waiting step; and a cancelled one. */
let running: { id: string; jobs: string[] };
let cancelled: { id: string; jobs: string[] };

const idsOf = ({ workflow }: Awaited<ReturnType<typeof run>>) => ({
  id: workflow._id,
  jobs: workflow.steps.map(({ job_id }) => job_id),
});

const { app } = useTestApp();
beforeAll(async () => {
  const { accountId, caller } = await createCustomer(app);
  const steps = [picture("a"), tune("b"), tune("c", { after: ["a", "b"] })];
  running = idsOf(await run(app, caller, { steps }, "key"));
  const [first] = await claimJobs(app, { worker: "w", limit: 2, leaseMs: 600_000 });
  if (!first) throw new Error("nothing to claim");
  await finalizeJobs(app, [{ claim: first, outcome: { kind: "completed", outputs: [] }, files: [] }]);
  cancelled = idsOf(await run(app, caller, { steps, callback_url: "https://example.com/hook" }));
  await cancelWorkflow(app, { accountId, workflowId: cancelled.id });
});

const collection = (name: string) => app.mongo.db.collection<{ _id: string }>(name);

/** Plants a fault in one document, audits, and repairs it. Undefined deletes the document. */
async function findingsWith(name: string, id: string, wrong: Document | undefined): Promise<string[]> {
  const before = await collection(name).findOne({ _id: id });
  if (!before) throw new Error(`${name} has no ${id}`);
  if (wrong) await collection(name).updateOne({ _id: id }, wrong);
  else await collection(name).deleteOne({ _id: id });
  try {
    return await auditFindings(app);
  } finally {
    await collection(name).replaceOne({ _id: id }, before, { upsert: true });
  }
}

test("correct workflows have no findings", async () => {
  expect(await auditFindings(app)).toEqual([]);
});

const at = new Date();
const set = (fields: Document) => ({ $set: fields });
const delivery = () => `dlv_${cancelled.id.slice(4)}_001`;
const entryOf = (jobId: string, what: string) => `led_${jobId.slice("job_".length)}_${what}`;

test.each<[RegExp, () => [string, string, Document | undefined]]>([
  [
    /workflow wfl_\w+ \(completed\): 2 of its steps have not ended/,
    () => [
      "workflows",
      running.id,
      { ...set({ state: "completed", ended_at: at }), $unset: { look_at: "" } },
    ],
  ],
  [
    /job job_\w+ \(reserved\): has the ledger entries none/,
    () => ["ledger", entryOf(running.jobs[2] ?? "", "reserve"), undefined],
  ],
  [
    /step 3: its job job_\w+ began before all that it needs had completed/,
    () => ["jobs", running.jobs[2] ?? "", set({ started_at: at })],
  ],
  [
    /step 3: its job job_\w+ may be claimed before all that it needs has completed/,
    () => ["jobs", running.jobs[2] ?? "", set({ queue_deadline: at })],
  ],
  [/\(running\): nothing is due for it/, () => ["workflows", running.id, { $unset: { look_at: "" } }]],
  [/\(running\): has ended at/, () => ["workflows", running.id, set({ ended_at: at })]],
  [/costs 19 credits, and its steps cost 20/, () => ["workflows", running.id, set({ credits: 19 })]],
  [
    /step 2: its job job_\w+ costs 5 credits, and the step 4/,
    () => ["workflows", running.id, set({ "steps.1.credits": 4, credits: 19 })],
  ],
  [
    /step 2: its job job_none is not there/,
    () => ["workflows", running.id, set({ "steps.1.job_id": "job_none" })],
  ],
  [/names the workflow wfl_none/, () => ["jobs", running.jobs[1] ?? "", set({ workflow_id: "wfl_none" })]],
  [
    /job job_\w+: names the workflow wfl_\w+, of which it is no step/,
    () => ["workflows", running.id, undefined],
  ],
  [/\(completed\): its steps say cancelled/, () => ["workflows", cancelled.id, set({ state: "completed" })]],
  [/is due although it has ended/, () => ["workflows", cancelled.id, set({ look_at: at })]],
  [/its end has no delivery to its callback_url/, () => ["deliveries", delivery(), undefined]],
  [
    /the delivery dlv_\w+ says workflow\.failed/,
    () => ["deliveries", delivery(), set({ event: "workflow.failed" })],
  ],
  [/announces what it should not/, () => ["workflows", cancelled.id, set({ callback_url: null })]],
])("the audit of a planted workflow says %s", async (words, wrong) => {
  expect(await findingsWith(...wrong())).toEqual(expect.arrayContaining([expect.stringMatching(words)]));
});

test("the audit is clean after all planted faults were fixed", async () => {
  expect(await auditFindings(app)).toEqual([]);
});
