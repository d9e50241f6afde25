// Pushed tasks: subscriptions/listen with task ids, and the events until their end.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { WORKFLOW } from "../../gateway/openapi/examples-workflow.ts";
import { toMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { workflowSchema } from "../../proto/resources/workflow.ts";
import type { JobEvent } from "../../proto/types/atelier/v1/JobEvent.ts";
import { waitFor } from "../support/wait-for.ts";
import { startEndpoint, type TestEndpoint } from "./endpoint-server.ts";
import { connectClient, PINNED } from "./mcp-clients.ts";
import { asCurrent, callTool, PICTURE, request, TASKS } from "./messages.ts";

let endpoint: TestEndpoint;
beforeEach(async () => {
  endpoint = await startEndpoint({ ATELIER_RATE_API: "1000000", ATELIER_OPEN_PER_ACCOUNT: "2" });
});
afterEach(() => endpoint.close());

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
  result?: object;
  error?: { code: number };
};
type Heard = { status: number; messages: Message[]; isOver: boolean; ended: Promise<void>; leave(): void };

/** A listener, and its received messages. */
async function listen(
  notifications: object,
  { declared = TASKS, headers: more = {} }: { declared?: object; headers?: Record<string, string> } = {},
): Promise<Heard> {
  const { body, headers } = asCurrent(request("subscriptions/listen", { notifications }), declared);
  const gone = new AbortController();
  const response = await fetch(endpoint.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${endpoint.key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
      ...more,
    },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
  const heard: Heard = {
    status: response.status,
    messages: [],
    isOver: false,
    ended: Promise.resolve(),
    leave: () => gone.abort(),
  };
  if (response.headers.get("content-type")?.startsWith("application/json")) {
    heard.messages.push((await response.json()) as Message);
    return heard;
  }
  heard.ended = (async () => {
    let text = "";
    for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece;
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines)
        if (line.startsWith("data: ")) heard.messages.push(JSON.parse(line.slice(6)) as Message);
    }
    heard.isOver = true;
  })().catch(() => {});
  return heard;
}

const generate = async (): Promise<void> => {
  const { body, headers } = asCurrent(callTool("connect_generate", PICTURE), TASKS);
  await endpoint.post(body, headers);
};
const eventsOf = ({ messages }: Heard) =>
  messages
    .filter(({ method }) => method === "notifications/tasks")
    .map(({ params }) => [params?.["taskId"], params?._meta?.["atelier/event"], params?.["status"]]);

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

describe("subscriptions/listen", () => {
  test("[MCP-33] sends each event of the caller's tasks, the last with tasks/get's result, and then ends", async () => {
    await generate();
    await generate();
    const heard = await listen({ taskIds: ["job_1", "job_2", "job_of_somebody"], toolsListChanged: true });
    await waitFor("both", () => heard.messages.length === 3);
    expect(heard.messages[0]).toEqual({
      jsonrpc: "2.0",
      method: ACKNOWLEDGED,
      params: { notifications: { taskIds: ["job_1", "job_2"] }, _meta: { [SUBSCRIPTION]: 7 } },
    });
    endpoint.core.addEvent("job_1", "progress", { fraction: 0.25 });
    endpoint.core.complete("job_1");
    endpoint.core.complete("job_2");
    await heard.ended;
    expect(eventsOf(heard).filter(([id]) => id === "job_1")).toEqual(
      [1, 2, 3, 4, 5].map((seq) => ["job_1", seq, seq === 5 ? "completed" : "working"]),
    );
    expect(eventsOf(heard).filter(([id]) => id === "job_2")).toHaveLength(4);
    const told = heard.messages.filter(({ params }) => params?.["taskId"] === "job_1");
    expect(told[1]?.params).toMatchObject({ statusMessage: expect.stringContaining("25% done") });
    const { body, headers } = asCurrent(request("tasks/get", { taskId: "job_1" }), TASKS);
    const { json } = await endpoint.post(body, headers);
    const { resultType: _, _meta: __, ...task } = (json as { result: Record<string, unknown> }).result;
    expect(told.at(-1)?.params).toMatchObject(task);
    expect(heard.messages.at(-1)).toMatchObject({
      id: 7,
      result: { resultType: "complete", _meta: { [SUBSCRIPTION]: 7 } },
    });
  });

  test("starts with the task's current state, or after the event that a returning listener names", async () => {
    await generate();
    endpoint.core.complete("job_1");
    const fresh = await listen({ taskIds: ["job_1"] });
    await fresh.ended;
    expect(eventsOf(fresh)).toEqual([["job_1", 4, "completed"]]);
    const back = await listen({ taskIds: ["job_1"], "atelier/after": { job_1: 2 } });
    await back.ended;
    expect(eventsOf(back).map(([, number]) => number)).toEqual([3, 4]);
    const informed = await listen({ taskIds: ["job_1"], "atelier/after": { job_1: 4 } });
    await informed.ended;
    expect(informed.messages.map(({ method }) => method)).toEqual([ACKNOWLEDGED, undefined]);
  });

  test("sends each event once across a restart of core, and ends without a response when the key is revoked", async () => {
    await generate();
    const event = (seq: number): JobEvent =>
      ({
        seq,
        type: "running",
        state: "running",
        at: "2026-01-02T03:04:05.000Z",
        detail_json: "{}",
      }) as JobEvent;
    endpoint.core.answer("jobs.WatchJob", async function* () {
      yield event(2);
      endpoint.core.answer("jobs.WatchJob", async function* () {
        yield event(3);
        throw new AppError("invalid_key");
      });
      throw new AppError("service_unavailable");
    });
    const heard = await listen({ taskIds: ["job_1"] });
    await heard.ended;
    expect(heard.isOver).toBe(true);
    expect(eventsOf(heard).map(([, number]) => number)).toEqual([2, 3]);
    expect(heard.messages.at(-1)).toMatchObject({ method: "notifications/tasks" });
    const asked = endpoint.core.calls.filter(({ method }) => method === "jobs.WatchJob");
    expect(asked.map((call) => call.request["after_seq"])).toEqual([0, 2]);
  });

  test("follows a workflow by its versions", async () => {
    const at = (version: number, state: "running" | "completed") => ({
      ...toMessage(workflowSchema, { ...WORKFLOW, state }),
      version,
    });
    endpoint.core.say("workflows.WatchWorkflow", [at(3, "running"), at(4, "running"), at(6, "completed")]);
    const id = WORKFLOW.workflow_id;
    const heard = await listen({ taskIds: [id], "atelier/after": { [id]: 3 } });
    await heard.ended;
    expect(eventsOf(heard)).toEqual([
      [id, 4, "working"],
      [id, 6, "completed"],
    ]);
  });

  test("ends with a response when the server stops", async () => {
    await generate();
    const heard = await listen({ taskIds: ["job_1"] });
    await waitFor("the task", () => heard.messages.length === 2);
    await endpoint.close();
    await heard.ended;
    expect(heard.messages.at(-1)).toMatchObject({ result: { resultType: "complete" } });
    endpoint = await startEndpoint();
  });

  test("frees its slot when the listener disconnects, and is refused above the limit", async () => {
    await generate();
    const [one, two] = [await listen({ taskIds: ["job_1"] }), await listen({ taskIds: ["job_1"] })];
    const third = await listen({ taskIds: ["job_1"] });
    expect([third.status, third.messages[0]?.error?.code]).toEqual([429, 1429]);
    one.leave();
    await waitFor("the place", async () => {
      const next = await listen({ taskIds: ["job_1"] });
      next.leave();
      return next.status === 200;
    });
    two.leave();
  });

  test.each([
    ["without the extension", { taskIds: ["job_1"] }, { declared: {} }, 400, -32_021],
    ["with an invalid list", { taskIds: "job_1" }, {}, 200, -32_602],
    ["with too many tasks", { taskIds: Array.from({ length: 51 }, String) }, {}, 200, -32_602],
    ["with an invalid number", { taskIds: ["job_1"], "atelier/after": { job_1: -1 } }, {}, 200, -32_602],
    ["with an invalid header", { taskIds: ["job_1"] }, { headers: { "mcp-method": "x" } }, 400, -32_020],
  ])("is refused %s", async (_why, notifications, how, status, code) => {
    await generate();
    const refused = await listen(notifications, how);
    expect([refused.status, refused.messages[0]?.error?.code]).toEqual([status, code]);
    expect(endpoint.core.calls.some(({ method }) => method === "jobs.WatchJob")).toBe(false);
  });

  test("acknowledges and ends when there is nothing to listen to", async () => {
    for (const notifications of [{}, { toolsListChanged: true }, { taskIds: ["job_of_somebody"] }]) {
      const heard = await listen(notifications);
      await heard.ended;
      expect(heard.messages.map(({ method, params }) => [method, params?.["notifications"]])).toEqual([
        [ACKNOWLEDGED, {}],
        [undefined, undefined],
      ]);
    }
  });

  test("works with the current client library", async () => {
    await generate();
    const client = await connectClient(endpoint.url, endpoint.key, { ...PINNED, capabilities: TASKS });
    const heard: unknown[] = [];
    const params = z.looseObject({ taskId: z.string(), status: z.string() });
    client.setNotificationHandler("notifications/tasks", { params }, ({ status }) => void heard.push(status));
    const { closed } = await client.listen({ taskIds: ["job_1"] } as object);
    endpoint.core.complete("job_1");
    expect(await closed).toBe("graceful");
    // The library passes notifications on after it has recorded the end.
    await waitFor("the end", () => heard.includes("completed"));
    expect(heard).toEqual(["working", "working", "working", "completed"]);
    await client.close();
  });
});
