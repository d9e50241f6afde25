// The service Workflows over gRPC.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorker } from "../../../../core/entry/start.ts";
import type { Caller } from "../../../../proto/caller.ts";
import type { CoreClient } from "../../../../proto/client.ts";
import { fromMessage } from "../../../../proto/codec.ts";
import {
  toRunWorkflowRequest,
  workflowDeadline,
  workflowResultSchema,
  workflowSchema,
} from "../../../../proto/resources/workflow.ts";
import { createCustomer } from "../../../support/app.ts";
import { startTestCore } from "../../../support/core.ts";
import { createScriptedProvider } from "../../../support/providers.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { addTakingModels, picture, redraw, states } from "./fixtures.ts";

let client: CoreClient;
let worker: ReturnType<typeof startWorker>;
let caller: Caller;

const provider = createScriptedProvider();
const core = sharedByTests(() => startTestCore({ provider }));
beforeAll(async () => {
  await addTakingModels(core.app);
  client = core.client();
  worker = startWorker(core.app);
  ({ caller } = await createCustomer(core.app));
});
afterAll(() => worker.close());

const request = { steps: [picture("a"), redraw("b", "step:a", { after: [] })], metadata: { order: "7" } };

test("a workflow runs once for its Idempotency-Key, and is watched, waited for and listed", async () => {
  const message = toRunWorkflowRequest(request, "once");
  const run = async () => client.workflows.RunWorkflow(message, { caller });
  const [first, again] = [await run(), await run()];
  expect([first.replayed, again.replayed]).toEqual([false, true]);
  const reply = fromMessage(workflowResultSchema, first);
  expect(reply).toEqual(fromMessage(workflowResultSchema, again));
  expect(reply).toMatchObject({
    state: "running",
    credits_reserved: 14,
    estimated_seconds: 11,
    steps: [
      { id: "a", needs: [], credits_reserved: 10 },
      { id: "b", needs: ["a"], credits_reserved: 4 },
    ],
  });
  const { workflow_id } = reply;
  const seen: string[] = [];
  const watching = (async () => {
    for await (const now of client.workflows.WatchWorkflow({ workflow_id }, { caller }))
      seen.push(states(fromMessage(workflowSchema, now)));
  })();
  const waiting = client.workflows.GetWorkflow(
    { workflow_id, wait_seconds: 60 },
    { caller, deadlineMs: 60_000 },
  );
  for (const n of [0, 1]) (await waitFor(`call ${n}`, () => provider.calls[n])).finish();
  const done = fromMessage(workflowSchema, await waiting);
  expect(done).toMatchObject({ state: "completed", credits_charged: 14, metadata: { order: "7" } });
  await watching;
  expect(seen.at(-1)).toBe("a completed, b completed");
  expect(seen.length).toBeGreaterThan(1);
  const list = async (state: string) =>
    (await client.workflows.ListWorkflows({ limit: 10, cursor: "", state }, { caller })).workflows.map(
      (one) => one.workflow_id,
    );
  expect(await list("")).toEqual([workflow_id]);
  expect(await list("completed,failed")).toEqual([workflow_id]);
  expect(await list("running,cancelling")).toEqual([]);
  const job = await client.jobs.GetJob({ job_id: reply.steps[1]?.job_id ?? "", wait_seconds: 0 }, { caller });
  expect(job.workflow_id).toBe(workflow_id);
});

test("a request with URLs may take as long as fetching them does", () => {
  expect(workflowDeadline(request)).toEqual({});
  const fetching = redraw("b", "https://example.com/a.png");
  expect(workflowDeadline({ steps: [picture("a"), fetching] }).deadlineMs).toBeGreaterThan(30_000);
});
