import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import {
  CancelTaskResultV2Schema,
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  UpdateTaskResultV2Schema,
} from "@modelcontextprotocol/ext-tasks/core/v2";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { AT } from "./core-in-memory.ts";
import { eventsOf, startEndpoint } from "./endpoint-server.ts";
import { connectClient, PINNED } from "./mcp-clients.ts";
import {
  asCurrent,
  callTool,
  CAPABILITIES,
  CURRENT_META,
  INITIALIZE,
  PICTURE,
  request,
  TASKS,
} from "./messages.ts";

const endpoint = sharedByTests(() => startEndpoint({ ATELIER_RATE_LIMITS: "off" }));
beforeEach(() => {
  endpoint.core.jobs.clear();
  endpoint.core.reset();
});

type RpcAnswer = {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
};

/** Sends a current message of a client with or without the extension. */
async function send(
  message: ReturnType<typeof request>,
  { declared = true, accept = "application/json" } = {},
): Promise<RpcAnswer & { status: number; text: string }> {
  const { body, headers } = asCurrent(message, declared ? TASKS : {});
  const { status, text, json } = await endpoint.post(body, { ...headers, accept });
  return { status, text, ...(json as RpcAnswer | undefined) };
}

const generate = callTool("connect_generate", PICTURE);
const task = (method: string, taskId: string, more: object = {}) => request(method, { taskId, ...more });

describe("connect_generate", () => {
  test("[MCP-17] returns a task with the job's id to a client with the extension", async () => {
    const { result } = await send(generate);
    expect(CreateTaskResultV2Schema.parse(result)).toEqual({
      resultType: "task",
      taskId: "job_1",
      status: "working",
      statusMessage: "Job job_1: reserved (image, canvas-one).",
      createdAt: AT,
      lastUpdatedAt: AT,
      ttlMs: null,
      pollIntervalMs: 2000,
      _meta: expect.anything(),
    });
    expect(result).not.toHaveProperty("content");
  });

  test("returns the result itself to a client without it, and to older ones", async () => {
    const { result } = await send(generate, { declared: false });
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { job_id: "job_1" } });
    const older = callTool("connect_generate", PICTURE, { [CAPABILITIES]: TASKS });
    expect((await endpoint.post(older)).json).toMatchObject({
      result: { structuredContent: { job_id: "job_2" } },
    });
  });

  test("returns the result when the job ends during the wait, and the task otherwise", async () => {
    const answer = send(callTool("connect_generate", { ...PICTURE, wait_seconds: 45 }));
    await waitFor("the wait", () => endpoint.core.calls.some(({ method }) => method === "jobs.GetJob"));
    endpoint.core.complete("job_1");
    expect((await answer).result).toMatchObject({
      resultType: "complete",
      structuredContent: { state: "completed" },
    });
    const late = await send(callTool("connect_generate", { ...PICTURE, wait_seconds: 1 }));
    expect(late.result).toMatchObject({ resultType: "task", taskId: "job_2" });
  });

  test("returns the task as an event to a client that accepts nothing else", async () => {
    const { text } = await send(generate, { accept: "text/event-stream" });
    expect(eventsOf(text)).toEqual([
      expect.objectContaining({ id: 7, result: expect.objectContaining({ resultType: "task" }) }),
    ]);
  });

  test("that fails is a result and no task, also when its job cannot be read yet", async () => {
    endpoint.core.fail("jobs.GetJob", () => new AppError("service_unavailable"));
    expect((await send(generate)).result).toMatchObject({
      resultType: "complete",
      structuredContent: { job_id: "job_1", state: "reserved" },
    });
    endpoint.core.fail("jobs.Generate", () => new AppError("insufficient_credits"));
    expect((await send(generate)).result).toMatchObject({ resultType: "complete", isError: true });
  });

  test("is the only tool that becomes a task", async () => {
    expect((await send(callTool("list_models"))).result).toMatchObject({ resultType: "complete" });
  });
});

describe("tasks/get", () => {
  test("reports a working task, and the tool's own result when it is completed", async () => {
    await send(generate);
    expect(GetTaskResultV2Schema.parse((await send(task("tasks/get", "job_1"))).result)).toMatchObject({
      status: "working",
    });
    endpoint.core.complete("job_1");
    const { result } = await send(task("tasks/get", "job_1"));
    expect(GetTaskResultV2Schema.parse(result)).toMatchObject({
      taskId: "job_1",
      status: "completed",
      result: {
        content: [{ type: "text" }, { type: "resource_link", uri: "https://atelier.example/out_1?sig=x" }],
        structuredContent: { job_id: "job_1", state: "completed", credits_charged: 4, outputs: [{}] },
      },
    });
  });

  test("of a failed job is completed, with the reason in its result", async () => {
    await send(generate);
    const error = { code: "provider_timeout", message: "The model took too long." };
    Object.assign(endpoint.core.jobs.get("job_1") ?? {}, { state: "failed", ended_at: AT, error });
    const { result } = await send(task("tasks/get", "job_1"));
    expect(result).toMatchObject({
      status: "completed",
      result: { structuredContent: { state: "failed", error } },
    });
  });

  test("[MCP-17] reads the caller's own job each time, and no other", async () => {
    const { error } = await send(task("tasks/get", "job_of_somebody"));
    expect(error).toMatchObject({ code: -32602, data: { code: "job_not_found" } });
    expect(endpoint.core.calls.at(-1)).toMatchObject({
      method: "jobs.GetJob",
      request: { job_id: "job_of_somebody", wait_seconds: 0 },
      options: { caller: { kind: "key" } },
    });
  });

  test.each([
    [() => new AppError("service_unavailable", { retryAfterSeconds: 2 }), 1503, "service_unavailable"],
    [() => new Error("mongo at 10.0.0.5 said no"), -32603, "internal"],
  ])("returns an error with the next step when core fails: %s", async (failure, code, name) => {
    await send(generate);
    endpoint.core.fail("jobs.GetJob", failure);
    const { error, text } = await send(task("tasks/get", "job_1"));
    expect(error).toMatchObject({ code, data: { code: name, hint: expect.any(String) } });
    expect(text).not.toMatch(/mongo|10\.0/);
    expect(endpoint.errors.splice(0)).toHaveLength(name === "internal" ? 1 : 0);
  });
});

describe("tasks/cancel", () => {
  test("cancels a waiting job; the response only acknowledges", async () => {
    await send(generate);
    const { result } = await send(task("tasks/cancel", "job_1"));
    expect(CancelTaskResultV2Schema.parse(result)).toMatchObject({ resultType: "complete" });
    expect(result).not.toHaveProperty("taskId");
    expect((await send(task("tasks/get", "job_1"))).result).toMatchObject({ status: "cancelled" });
  });

  test("is acknowledged without effect when the job has started or ended", async () => {
    await send(generate);
    endpoint.core.complete("job_1");
    expect((await send(task("tasks/cancel", "job_1"))).result).toMatchObject({ resultType: "complete" });
    expect((await send(task("tasks/get", "job_1"))).result).toMatchObject({ status: "completed" });
  });

  test("of an unknown task is -32602", async () => {
    expect((await send(task("tasks/cancel", "job_9"))).error).toMatchObject({ code: -32602 });
  });
});

test("tasks/update has no questions, but checks the task's owner", async () => {
  await send(generate);
  const { result } = await send(task("tasks/update", "job_1", { inputResponses: {} }));
  expect(UpdateTaskResultV2Schema.parse(result)).toMatchObject({ resultType: "complete" });
  expect((await send(task("tasks/update", "job_9", { inputResponses: {} }))).error).toMatchObject({
    code: -32602,
  });
});

test.each(["tasks/get", "tasks/cancel", "tasks/update"])(
  "%s is refused without the extension, without a taskId, with another one in the header, and to older clients",
  async (method) => {
    await send(generate);
    const undeclared = await send(task(method, "job_1"), { declared: false });
    expect([undeclared.status, undeclared.error?.code]).toEqual([400, -32021]);
    expect((await send(request(method, {}))).error).toMatchObject({ code: -32602 });
    const { body, headers } = asCurrent({ ...task(method, "job_1") });
    const mismatch = await endpoint.post(body, { ...headers, "mcp-name": "job_2" });
    expect(mismatch.json).toMatchObject({ error: { code: -32020 } });
    expect((await endpoint.post(task(method, "job_1"))).json).toMatchObject({ error: { code: -32601 } });
  },
);

test.each(["tasks/list", "tasks/result"])("%s is an unknown method", async (method) => {
  expect((await send(request(method, {}))).error).toMatchObject({ code: -32601 });
});

test("the extension is declared to current clients only", async () => {
  expect((await send(request("server/discover"))).result).toMatchObject({
    capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
  });
  expect((await endpoint.post(INITIALIZE)).text).not.toContain("tasks");
});

test("the extension's own client starts a job, follows its task and gets the result", async () => {
  const client = await connectClient(endpoint.url, endpoint.key, { ...PINNED, capabilities: TASKS });
  const session = createTaskSessionFromClient(client, {
    endpointId: "atelier",
    v2RequestFraming: {
      protocolVersion: CURRENT_META["io.modelcontextprotocol/protocolVersion"],
      clientInfo: CURRENT_META["io.modelcontextprotocol/clientInfo"],
      clientCapabilities: TASKS,
    },
    rawDispatch: async (message) => {
      const { method, params } = message as { method: string; params: { name?: string; taskId?: string } };
      const headers = {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": params.name ?? params.taskId ?? null,
      };
      const answer = await endpoint.post({ jsonrpc: "2.0", id: 1, method, params }, headers);
      return { kind: "result", result: (answer.json as { result: never }).result };
    },
  });
  const execution = await session.callTool("connect_generate", PICTURE);
  const settled = execution.settle();
  await waitFor(
    "the first question",
    () => endpoint.core.calls.filter(({ method }) => method === "jobs.GetJob").length > 1,
  );
  endpoint.core.complete("job_1");
  const { outcome } = await settled;
  expect(resultFromTaskOutcome(outcome)).toMatchObject({
    structuredContent: { job_id: "job_1", state: "completed" },
  });
  await session.close();
  await client.close();
});

test("an overloaded endpoint accepts the cancels that the headers of current messages name, and nothing else", async () => {
  let isFull = false;
  const load = { begin: () => () => {}, isFull: () => isFull };
  const own = await startEndpoint({ ATELIER_RATE_LIMITS: "off" }, undefined, load);
  onTestFinished(() => own.close());
  const post = async (message: ReturnType<typeof request>, named = message) => {
    const { headers } = asCurrent(named);
    return (await own.post(asCurrent(message, TASKS).body, headers)).status;
  };
  const cancelTool = callTool("cancel_job", { job_id: "job_1" });
  expect(await post(callTool("connect_generate", PICTURE))).toBe(200);
  isFull = true;
  const cancelsOfCore = () => own.core.calls.filter(({ method }) => method === "jobs.CancelJob").length;
  expect(await post(cancelTool)).toBe(200);
  expect(cancelsOfCore()).toBe(1);
  expect(await post(task("tasks/cancel", "job_1"))).toBe(200);
  expect(cancelsOfCore()).toBe(2);
  expect(await post(callTool("list_models"))).toBe(503);
  expect(await post(callTool("list_models"), cancelTool)).toBe(503);
  expect((await own.post(cancelTool)).status).toBe(503);
  expect(cancelsOfCore()).toBe(2);
});
