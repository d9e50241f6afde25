// A workflow from its request to its end, with a real worker: order, outputs, credits, failures, cancelling.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ProviderError } from "../../../../core/adapters/providers/provider.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { listLedger } from "../../../../core/identity/credits/read.ts";
import { findAnything } from "../../../../core/operations/admin/find.ts";
import { deleteOutputs } from "../../../../core/studio/jobs/delete-outputs.ts";
import { listOwnDeliveries } from "../../../../core/studio/jobs/deliveries.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { prepareAttempt } from "../../../../core/studio/webhooks/attempt.ts";
import { actOnDead, listDead } from "../../../../core/studio/webhooks/dead.ts";
import { toDelivery } from "../../../../core/studio/webhooks/resource.ts";
import { deliveries } from "../../../../core/studio/webhooks/store.ts";
import { advanceWorkflow } from "../../../../core/studio/workflows/advance.ts";
import { sweepWorkflows } from "../../../../core/studio/workflows/advancer.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { workflowCallbackSchema } from "../../../../proto/resources/workflow.ts";
import { cancelJob } from "../../../support/accept.ts";
import { createCustomer, createTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../../../support/providers.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import {
  addTakingModels,
  ended,
  moving,
  picture,
  redraw,
  run,
  show,
  startWork,
  states,
  tune,
} from "./fixtures.ts";

let caller: Caller;
let accountId: string;

const provider = createScriptedProvider({ stopsWhenAborted: true });
const testApp = sharedByTests(() => createTestApp({ provider }));

async function begin(): Promise<void> {
  await testApp.empty();
  await addTakingModels(testApp.app);
  provider.calls.length = 0;
  ({ caller, accountId } = await createCustomer(testApp.app));
}

/** The call for a prompt, once it was made. */
const call = (prompt: string) =>
  waitFor(`the call for ${prompt}`, () => provider.calls.find(({ request }) => request.prompt === prompt));
const finish = async (prompt: string) =>
  (await call(prompt)).finish(prompt.startsWith("tune") ? [SOUND] : [SMALL_OUTPUT]);
const SOUND = { bytes: SMALL_OUTPUT.bytes, mimeType: "audio/wav", durationSeconds: 1 };

async function kinds(): Promise<string[]> {
  const query = { accountId, limit: 100, cursor: "", kind: "", jobId: "", since: "", until: "" };
  return (await listLedger(testApp.app, query)).entries
    .map(({ kind }) => kind)
    .reverse()
    .slice(1);
}

const numbers = async () => {
  const account = await accounts(testApp.app.mongo.db).findOne({ _id: accountId });
  return {
    balance: account?.balance,
    held: account?.held,
    waiting: account?.waiting,
    running: account?.running,
  };
};

describe("a workflow", () => {
  beforeEach(begin);

  test("holds the price of all its steps together, and runs them in order with their inputs", async () => {
    const { app } = testApp;
    const { workflow } = await run(app, caller, {
      steps: [
        moving("film", { image: "step:scene", sound: "step:voice", duration_seconds: 5 }),
        picture("scene"),
        tune("voice", { after: ["scene"] }),
      ],
      metadata: { order: "7" },
    });
    expect(await numbers()).toEqual({ balance: 1000, held: 25, waiting: 1, running: 0 });
    expect(await auditFindings(app)).toEqual([]);
    expect((await show(app, workflow)).steps).toMatchObject([
      {
        id: "film",
        state: "reserved",
        needs: ["scene", "voice"],
        waits_for: ["scene", "voice"],
        credits_reserved: 10,
      },
      { id: "scene", state: "reserved", needs: [], waits_for: [] },
      { id: "voice", state: "reserved", needs: ["scene"], waits_for: ["scene"] },
    ]);
    startWork(app);
    await finish("picture scene");
    await finish("tune voice");
    const film = await call("moving film");
    expect(provider.calls).toHaveLength(3);
    expect([...film.call.inputs.keys()].sort()).toEqual(["image", "sound"]);
    expect(Buffer.from((await film.call.inputs.get("image")?.read()) ?? []).toString()).toBe(
      "made for a test",
    );
    film.finish();
    const done = await ended(app, workflow);
    expect(done).toMatchObject({
      state: "completed",
      credits_reserved: 25,
      credits_charged: 25,
      metadata: { order: "7" },
      callback: null,
      cancellable: false,
    });
    expect(states(done)).toBe("film completed, scene completed, voice completed");
    expect(await kinds()).toEqual(["reserve", "reserve", "reserve", "debit", "debit", "debit"]);
    expect(await numbers()).toEqual({ balance: 975, held: 0, waiting: 0, running: 0 });
    expect(await auditFindings(app)).toEqual([]);
    const job = await findOwnJob(app, accountId, done.steps[0]?.job_id ?? "");
    expect(job.params).toMatchObject({ image: done.steps[1]?.outputs[0]?.output_id });
    expect(job.workflow_id).toBe(workflow._id);
  });

  test("announces its end once, and its steps only on request", async () => {
    const { app } = testApp;
    const url = "https://example.com/hook";
    const quiet = await run(app, caller, {
      steps: [picture("a"), picture("b", { after: ["a"] })],
      callback_url: url,
    });
    const loud = await run(app, caller, {
      steps: [picture("c"), picture("d", { after: ["c"] })],
      callback_url: url,
      callback_on_steps: true,
    });
    startWork(app);
    for (const name of ["a", "b", "c", "d"]) await finish(`picture ${name}`);
    await ended(app, quiet.workflow);
    await ended(app, loud.workflow);
    const rows = await deliveries(app.mongo.db).find().sort({ _id: 1 }).toArray();
    const told = rows.map(({ event, workflow_id, job_id }) => [event, workflow_id ?? job_id]);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        ["workflow.completed", quiet.workflow._id],
        ["workflow.completed", loud.workflow._id],
        ...loud.workflow.steps.map(({ job_id }) => ["job.completed", job_id]),
      ]),
    );
    expect((await show(app, quiet.workflow)).callback).toEqual({ url, status: "pending", attempts: 0 });
    const row = rows.find(({ workflow_id }) => workflow_id === quiet.workflow._id);
    if (!row) throw new Error("the end was told");
    const prepared = prepareAttempt(
      row,
      { workflow: await show(app, quiet.workflow) },
      { plain: "s", standard: ["s"] },
      new Date(),
    );
    const message: unknown = JSON.parse(prepared.body.toString());
    expect(workflowCallbackSchema.parse(message)).toMatchObject({
      event: "workflow.completed",
      workflow: { workflow_id: quiet.workflow._id, state: "completed" },
    });
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is the same one for a repeated Idempotency-Key, and refused for another request", async () => {
    const { app } = testApp;
    const request = { steps: [picture("a"), redraw("b", "step:a")] };
    const first = await run(app, caller, request, "key-1");
    const again = await run(app, caller, request, "key-1");
    expect(again).toMatchObject({ replayed: true, workflow: { _id: first.workflow._id } });
    await expect(run(app, caller, { steps: [picture("a"), picture("b")] }, "key-1")).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    const both = await Promise.all([1, 2].map(() => run(app, caller, request, "key-2")));
    expect(new Set(both.map(({ workflow }) => workflow._id)).size).toBe(1);
    expect(await jobs(app.mongo.db).countDocuments()).toBe(4);
    expect(await auditFindings(app)).toEqual([]);
  });
});

describe("when a step fails", () => {
  beforeEach(begin);

  test("waiting steps are cancelled and released, and running ones continue to their end", async () => {
    const { app } = testApp;
    const { workflow } = await run(app, caller, {
      steps: [picture("a"), picture("b"), redraw("c", "step:a"), redraw("d", "step:c")],
      callback_url: "https://example.com/hook",
    });
    startWork(app);
    const b = await call("picture b");
    (await call("picture a")).fail(new ProviderError("provider_refused", "No.", { retryable: false }));
    await waitFor(
      "the others to be cancelled",
      async () => states(await show(app, workflow)) === "a failed, b running, c cancelled, d cancelled",
    );
    expect((await show(app, workflow)).state).toBe("running");
    b.finish();
    const done = await ended(app, workflow);
    expect(done).toMatchObject({ state: "failed", credits_charged: 10 });
    expect(provider.calls).toHaveLength(2);
    expect((await deliveries(app.mongo.db).find().toArray()).map(({ event }) => event)).toEqual([
      "workflow.failed",
    ]);
    expect(await numbers()).toEqual({ balance: 990, held: 0, waiting: 0, running: 0 });
    expect(await auditFindings(app)).toEqual([]);
  });

  test("because its input is gone, nothing of it was charged", async () => {
    const { app } = testApp;
    const { workflow } = await run(app, caller, {
      steps: [picture("a"), tune("b"), moving("c", { image: "step:a" }, { after: ["b"] })],
    });
    startWork(app);
    await finish("picture a");
    const jobId = workflow.steps[0]?.job_id ?? "";
    await waitFor("the picture", async () => (await findOwnJob(app, accountId, jobId)).state === "completed");
    await deleteOutputs(app, { accountId, jobId, outputIds: [] });
    await finish("tune b");
    const done = await ended(app, workflow);
    expect(states(done)).toBe("a completed, b completed, c failed");
    expect(done.steps[2]?.error?.code).toBe("input_unavailable");
    expect(done).toMatchObject({ state: "failed", credits_charged: 15 });
    expect(await auditFindings(app)).toEqual([]);
  });

  test("or is cancelled on its own, the workflow is cancelled too", async () => {
    const { app } = testApp;
    const { workflow } = await run(app, caller, {
      steps: [picture("a"), redraw("b", "step:a"), redraw("c", "step:b")],
    });
    await cancelJob(app, accountId, workflow.steps[1]?.job_id ?? "");
    await advanceWorkflow(app, { accountId, workflowId: workflow._id });
    const done = await show(app, workflow);
    expect(states(done)).toBe("a cancelled, b cancelled, c cancelled");
    expect(done.state).toBe("cancelled");
    expect(await kinds()).toEqual(["reserve", "reserve", "reserve", "release", "release", "release"]);
    expect(await numbers()).toEqual({ balance: 1000, held: 0, waiting: 0, running: 0 });
    expect(await auditFindings(app)).toEqual([]);
  });
});

describe("cancelling a workflow", () => {
  beforeEach(begin);

  test("ends waiting steps immediately, and running ones as soon as their provider has stopped", async () => {
    const { app } = testApp;
    const { workflow } = await run(app, caller, {
      steps: [picture("a"), redraw("b", "step:a")],
      callback_url: "https://example.com/hook",
    });
    startWork(app);
    const a = await call("picture a");
    a.call.signal.addEventListener("abort", () => a.fail(new Error("stopped")));
    const ref = { accountId, workflowId: workflow._id };
    await cancelWorkflow(app, ref);
    expect(await show(app, workflow)).toMatchObject({ state: "cancelling", cancellable: false });
    await cancelWorkflow(app, ref);
    const done = await ended(app, workflow);
    expect(states(done)).toBe("a cancelled, b cancelled");
    expect(done).toMatchObject({ state: "cancelled", credits_charged: 0 });
    await cancelWorkflow(app, ref);
    expect((await deliveries(app.mongo.db).find().toArray()).map(({ event }) => event)).toEqual([
      "workflow.cancelled",
    ]);
    expect(await kinds()).toEqual(["reserve", "reserve", "debit", "release", "refund"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("before its start ends it immediately, and an ended one cannot be cancelled", async () => {
    const { app } = testApp;
    const { workflow } = await run(app, caller, { steps: [picture("a"), redraw("b", "step:a")] });
    await cancelWorkflow(app, { accountId, workflowId: workflow._id });
    expect(await show(app, workflow)).toMatchObject({ state: "cancelled" });
    const other = await run(app, caller, { steps: [picture("x"), picture("y")] });
    startWork(app);
    await finish("picture x");
    await finish("picture y");
    await ended(app, other.workflow);
    const refused = cancelWorkflow(app, { accountId, workflowId: other.workflow._id });
    await expect(refused).rejects.toMatchObject({ code: "workflow_not_cancellable" });
    const stranger = await createCustomer(app);
    await expect(
      cancelWorkflow(app, { accountId: stranger.accountId, workflowId: workflow._id }),
    ).rejects.toMatchObject({ code: "workflow_not_found" });
  });
});

test("an operator finds a workflow and resends its webhook; its owner sees both", async () => {
  await begin();
  const { app } = testApp;
  const callback_url = "https://example.com/hook";
  const { workflow } = await run(app, caller, { steps: [picture("a"), picture("b")], callback_url });
  await cancelWorkflow(app, { accountId, workflowId: workflow._id });
  expect(await findAnything(app, { word: workflow._id, keySha256: "" })).toMatchObject([
    { kind: "workflow", accountId, what: expect.stringMatching(/^cancelled, 2 steps, 20 credits, made /) },
  ]);
  await deliveries(app.mongo.db).updateOne(
    { workflow_id: workflow._id },
    { $set: { status: "failed", next_attempt_at: null, closed_at: null } },
  );
  const { rows: dead } = await listDead(app, {}, { limit: 10, cursor: "" });
  const { verdicts } = await inTx(app, (tx) =>
    actOnDead(
      app,
      "redeliver",
      dead.map(({ _id }) => _id),
      tx,
    ),
  );
  expect(verdicts).toMatchObject([{ done: true, detail: `to https://example.com, of ${workflow._id}` }]);
  const own = { accountId, limit: 10, cursor: "", status: "", jobId: "" };
  expect((await listOwnDeliveries(app, own)).rows.map(toDelivery)).toMatchObject([
    {
      workflow_id: workflow._id,
      job_id: null,
      event: "workflow.cancelled",
      redelivery: 1,
      status: "pending",
    },
    { workflow_id: workflow._id, job_id: null, event: "workflow.cancelled", redelivery: 0, status: "failed" },
  ]);
  expect((await show(app, workflow)).callback).toMatchObject({ status: "pending" });
  expect(await auditFindings(app)).toEqual([]);
});

test("the next sweep repairs everything a crash has left, and a second one changes nothing", async () => {
  await begin();
  const { app } = testApp;
  const { workflow } = await run(app, caller, { steps: [picture("a"), redraw("b", "step:a")] });
  const look = async () => {
    await app.mongo.db
      .collection("workflows")
      .updateMany({ look_at: { $exists: true } }, { $set: { look_at: new Date(1) } });
    return sweepWorkflows(app);
  };
  startWork(app, { movesOn: false });
  for (const [place, name] of ["picture a", "redraw b"].entries()) {
    await finish(name);
    const jobId = workflow.steps[place]?.job_id ?? "";
    await waitFor(
      `${name} to end`,
      async () => (await findOwnJob(app, accountId, jobId)).state === "completed",
    );
    expect(await look()).toBe(1);
    await look();
  }
  expect(await show(app, workflow)).toMatchObject({ state: "completed" });
  await Promise.all([1, 2, 3].map(() => advanceWorkflow(app, { accountId, workflowId: workflow._id })));
  expect(await look()).toBe(0);
  expect(provider.calls).toHaveLength(2);
  expect(await auditFindings(app)).toEqual([]);
});

describe("a workflow request is refused, and nothing is held", () => {
  beforeAll(begin);

  const long = Array.from({ length: 4 }, (_, n) => picture(`p${n}`));
  const ofImage = "invalid_request steps.1.params.image";
  test.each<[string, readonly object[], string, object?]>([
    ["a cycle", [redraw("a", "step:b"), redraw("b", "step:a")], "invalid_request steps.0"],
    ["an unknown step", [picture("a"), redraw("b", "step:c")], ofImage],
    ["an invalid reference", [picture("a"), redraw("b", "step:A!")], ofImage],
    ["an output of the wrong kind", [tune("a"), redraw("b", "step:a")], ofImage],
    ["too few outputs", [picture("a", { params: { count: 2 } }), redraw("b", "step:a/2")], ofImage],
    [
      "an unknown param",
      [picture("a", { params: { size: 1 } }), picture("b")],
      "invalid_request steps.0.params.size",
    ],
    ["an unknown model", [picture("a"), picture("b", { model_slug: "none" })], "model_not_available steps.1"],
    ["another modality", [picture("a", { modality: "audio" }), picture("b")], "modality_mismatch steps.0"],
    [
      "an unknown file",
      [picture("a"), redraw("b", `out_${"1".repeat(26)}`)],
      "upload_not_found steps.1.params.image",
    ],
    ["a private callback_url", long, "callback_url_refused", { callback_url: "http://10.0.0.1/" }],
    ["a limit below the sum", long, "spend_limit_reached", { max_credits: 39 }],
  ])("with %s", async (_what, steps, expected, more) => {
    const { app } = testApp;
    const { code, issues } = await refusalOf(run(app, caller, { steps, ...more } as never));
    expect([code, ...(issues ?? []).map(({ path }) => path)].join(" ")).toBe(expected);
    expect(await numbers()).toEqual({ balance: 1000, held: 0, waiting: 0, running: 0 });
    expect(await jobs(app.mongo.db).countDocuments()).toBe(0);
  });

  test("above the available credits, or the limit of waiting jobs", async () => {
    const { app } = testApp;
    const poor = await createCustomer(app, { credits: 19 });
    await expect(
      run(app, poor.caller, { steps: [picture("a"), redraw("b", "step:a"), picture("c")] }),
    ).rejects.toMatchObject({
      code: "insufficient_credits",
      numbers: { credits_required: 24, credits_available: 19 },
    });
    const { plan } = (await accounts(app.mongo.db).findOne({ _id: accountId })) ?? { plan: "" };
    const most = 50 * ((await app.plans()).get(plan)?.concurrency ?? 0);
    await accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { waiting: most - 1 } });
    await expect(run(app, caller, { steps: [picture("a"), picture("b")] })).rejects.toMatchObject({
      code: "queue_full",
    });
  });
});
