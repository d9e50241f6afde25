// Workflows for assistants: one tool to run one, the job tools to follow and cancel it, and one task for the whole.
import { CreateTaskResultV2Schema, GetTaskResultV2Schema } from "@modelcontextprotocol/ext-tasks/core/v2";
import { beforeEach, describe, expect, test } from "vitest";
import {
  CANCELLED_WORKFLOW,
  CANCELLING_WORKFLOW,
  WORKFLOW,
  WORKFLOW_REQUEST,
  WORKFLOW_RESULT,
} from "../../gateway/openapi/examples-workflow.ts";
import { toMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import {
  type WorkflowResource,
  workflowResultSchema,
  workflowSchema,
} from "../../proto/resources/workflow.ts";
import { sharedByTests } from "../support/shared.ts";
import { callerOf, eventsOf, type Post, textOf } from "./endpoint-server.ts";
import { startMemberEndpoint } from "./member/member-endpoint.ts";
import { asCurrent, callTool, request, TASKS } from "./messages.ts";

const endpoint = sharedByTests(() => startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" }));
beforeEach(() => {
  endpoint.core.reset();
  endpoint.core.say("workflows.RunWorkflow", toMessage(workflowResultSchema, WORKFLOW_RESULT));
});

const ID = WORKFLOW.workflow_id;
const ARGUMENTS = { steps: WORKFLOW_REQUEST.steps, max_credits: 40 };
const RUNNING: WorkflowResource = {
  ...WORKFLOW,
  state: "running",
  credits_charged: 28,
  cancellable: true,
  ended_at: null,
  steps: WORKFLOW.steps.map((step) =>
    step.id === "clip" ? { ...step, state: "running", progress: 0.5, ended_at: null, outputs: [] } : step,
  ),
};

function stand(workflow: WorkflowResource): void {
  for (const method of ["workflows.GetWorkflow", "workflows.CancelWorkflow"])
    endpoint.core.say(method, toMessage(workflowSchema, workflow));
}

const post: Post = (...sent) => endpoint.posts.generation(...sent);
const call = callerOf(post);
const callsOf = (method: string) => endpoint.core.calls.filter((one) => one.method === method);

describe("[FLOW-03] run_workflow", () => {
  test("makes REST's call of core, and returns each step's job and the next step", async () => {
    const result = await call("run_workflow", { ...ARGUMENTS, idempotency_key: "k-1" });
    expect(callsOf("workflows.RunWorkflow")[0]).toMatchObject({
      request: {
        steps: [{ id: "picture" }, { id: "clip", params_json: '{"image":"step:picture"}' }],
        max_credits: 40,
        idempotency_key: "k-1",
      },
      options: { caller: { kind: "key", source: "mcp" } },
    });
    expect(textOf(result)).toBe(
      [
        `Workflow ${ID}: running, 2 steps.`,
        "Credits reserved: 28. It takes about 10 seconds.",
        `Step picture (${WORKFLOW.steps[0]?.job_id})`,
        `Step clip (${WORKFLOW.steps[1]?.job_id}), after picture`,
        "Next: call get_job with this workflow_id as job_id and wait_seconds up to 45 until it has ended.",
      ].join("\n"),
    );
    expect(result.structuredContent).toMatchObject({
      workflow_id: ID,
      state: "running",
      credits_reserved: 28,
    });
  });

  test("with wait_seconds returns the files of all steps in the same response, as links too", async () => {
    stand(WORKFLOW);
    const result = await call("run_workflow", { ...ARGUMENTS, wait_seconds: 45 });
    expect(callsOf("workflows.GetWorkflow")[0]).toMatchObject({
      request: { workflow_id: ID, wait_seconds: 45 },
      options: { deadlineMs: 55_000 },
    });
    const files = WORKFLOW.steps.flatMap(({ outputs }) => outputs.map(({ url }) => url));
    expect(files).toHaveLength(2);
    expect(result.content.flatMap(({ uri }) => uri ?? [])).toEqual(files);
    for (const file of files) expect(textOf(result)).toContain(file);
    expect(result.structuredContent).toMatchObject({
      state: "completed",
      credits_charged: 28,
      steps: [
        { id: "picture", outputs: [{ url: files[0] }] },
        { id: "clip", outputs: [{ url: files[1] }] },
      ],
    });
  });

  test("reports a used idempotency_key, and a failed wait does not undo it", async () => {
    endpoint.core.say("workflows.RunWorkflow", {
      ...toMessage(workflowResultSchema, WORKFLOW_RESULT),
      replayed: true,
    });
    endpoint.core.fail("workflows.GetWorkflow", () => new AppError("service_unavailable"));
    const result = await call("run_workflow", { ...ARGUMENTS, wait_seconds: 5 });
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toMatch(/^This idempotency_key was used before: .*nothing was reserved again\.\n/);
    expect(result.structuredContent).toMatchObject({ workflow_id: ID, replayed: true });
  });

  test("refuses 1,000 steps before parsing them", async () => {
    const steps = Array.from({ length: 1_000 }, (_, i) => ({ ...ARGUMENTS.steps[0], id: `s${i}` }));
    expect((await post(callTool("run_workflow", { steps }))).status).toBe(413);
  });

  test("is available to members whose plan includes the API, under their own source", async () => {
    const { structuredContent } = await endpoint.call("run_workflow", ARGUMENTS);
    expect(structuredContent).toMatchObject({ workflow_id: ID });
    expect(callsOf("workflows.RunWorkflow")[0]).toMatchObject({ options: { caller: { source: "member" } } });
  });
});

describe("[FLOW-03] job tools with a workflow_id", () => {
  test("get_job shows the state of it and its steps", async () => {
    stand(RUNNING);
    const result = await call("get_job", { job_id: ID });
    expect(callsOf("jobs.GetJob")).toEqual([]);
    expect(textOf(result).split("\n")).toEqual([
      `Workflow ${ID}: running (1 of 2 steps completed).`,
      "Credits charged: 28 of 28 reserved.",
      `Step picture (${WORKFLOW.steps[0]?.job_id}): completed`,
      expect.stringMatching(/^ {2}File out_\w+: https/),
      `Step clip (${WORKFLOW.steps[1]?.job_id}): running`,
      "Call get_job with this job_id and wait_seconds up to 45 to learn more.",
    ]);
    expect(result.structuredContent).not.toHaveProperty("job_id");
  });

  test("get_job previews a step, not the whole, and says so", async () => {
    stand(WORKFLOW);
    expect(textOf(await call("get_job", { job_id: ID, preview: true }))).toMatch(
      /\nA preview shows one step: call get_job with its job_id\.$/,
    );
  });

  test("get_job names the refund of one that cost nothing, as it does for a job", async () => {
    stand({ ...WORKFLOW, state: "cancelled", credits_charged: 0 });
    expect(textOf(await call("get_job", { job_id: ID }))).toContain(
      "Credits charged: 0. Credits refunded: 28.",
    );
  });

  test("get_job shows why and where it failed, and its refund", async () => {
    const error = { code: "provider_refused", message: "Nobody can make this." };
    const [picture, clip] = WORKFLOW.steps;
    if (!picture || !clip) throw new Error("the example has two steps");
    const failed = { ...clip, state: "failed" as const, credits_charged: 0, outputs: [], error };
    stand({ ...WORKFLOW, state: "failed", credits_charged: 4, steps: [picture, failed] });
    const result = await call("get_job", { job_id: ID });
    expect(textOf(result)).toContain("Credits charged: 4 of 28 reserved; the rest was refunded.");
    expect(textOf(result)).toContain("failed, provider_refused: Nobody can make this.");
    expect(result.structuredContent).toMatchObject({
      state: "failed",
      steps: [{}, { id: "clip", state: "failed" }],
    });
  });

  test("cancel_job cancels it", async () => {
    stand(CANCELLING_WORKFLOW);
    const result = await call("cancel_job", { job_id: ID });
    expect(callsOf("workflows.CancelWorkflow")[0]?.request).toEqual({ workflow_id: ID });
    expect(result.structuredContent).toEqual({
      workflow_id: ID,
      state: "cancelling",
      credits_reserved: 28,
      credits_charged: 4,
    });
  });

  test("refuse an unknown one with a message", async () => {
    endpoint.core.fail("workflows.GetWorkflow", () => new AppError("workflow_not_found"));
    const said = textOf(await call("get_job", { job_id: "wfl_none" }));
    expect(said).toMatch(
      /What to do: Use the workflow_id from the response that began the workflow; list_jobs shows .*\.\nCode: workflow_not_found\./,
    );
  });
});

test("a wait reports the number of finished steps to a client with progress, each once", async () => {
  const waiting = {
    ...RUNNING,
    steps: RUNNING.steps.map((step) => ({ ...step, state: "reserved" as const })),
  };
  const news = [waiting, waiting, RUNNING, WORKFLOW].map((one) => toMessage(workflowSchema, one));
  endpoint.core.say("workflows.WatchWorkflow", news);
  stand(WORKFLOW);
  const message = callTool("get_job", { job_id: ID, wait_seconds: 30 }, { progressToken: 1 });
  const { text } = await post(message, { accept: "application/json, text/event-stream" });
  const told = (eventsOf(text) as { params?: { message: string } }[]).flatMap(
    ({ params }) => params?.message ?? [],
  );
  expect(told).toEqual(["0 of 2 steps completed", "1 of 2 steps completed", "2 of 2 steps completed"]);
});

describe("[FLOW-04] on 2026-07-28 a workflow is one task", () => {
  type Answer = { result?: Record<string, unknown>; error?: { code: number } };
  async function ask(message: ReturnType<typeof request>): Promise<Answer> {
    const { body, headers } = asCurrent(message, TASKS);
    return (await post(body, headers)).json as Answer;
  }
  const task = (method: string) => ask(request(method, { taskId: ID }));

  test("has the workflow's id and its whole result", async () => {
    stand(RUNNING);
    const begun = await ask(callTool("run_workflow", ARGUMENTS));
    expect(CreateTaskResultV2Schema.parse(begun.result)).toMatchObject({
      taskId: ID,
      status: "working",
      statusMessage: `Workflow ${ID}: running (1 of 2 steps completed).`,
      createdAt: WORKFLOW.created_at,
      lastUpdatedAt: WORKFLOW.steps[0]?.ended_at,
    });
    expect(GetTaskResultV2Schema.parse((await task("tasks/get")).result)).toMatchObject({
      status: "working",
    });
    stand(WORKFLOW);
    expect(GetTaskResultV2Schema.parse((await task("tasks/get")).result)).toMatchObject({
      status: "completed",
      result: { structuredContent: { workflow_id: ID, steps: [{ id: "picture" }, { id: "clip" }] } },
    });
    stand(CANCELLED_WORKFLOW);
    expect((await task("tasks/get")).result).toMatchObject({ status: "cancelled" });
    expect(callsOf("jobs.GetJob")).toEqual([]);
  });

  test("is cancelled as a whole, and acknowledged when it is too late", async () => {
    stand(CANCELLING_WORKFLOW);
    expect((await task("tasks/cancel")).result).toMatchObject({ resultType: "complete" });
    expect(callsOf("workflows.CancelWorkflow")).toHaveLength(1);
    endpoint.core.fail("workflows.CancelWorkflow", () => new AppError("workflow_not_cancellable"));
    expect((await task("tasks/cancel")).result).toMatchObject({ resultType: "complete" });
  });

  test("of another account looks unknown", async () => {
    endpoint.core.fail("workflows.GetWorkflow", () => new AppError("workflow_not_found"));
    for (const method of ["tasks/get", "tasks/update"])
      expect((await task(method)).error).toMatchObject({ code: -32602 });
  });
});
