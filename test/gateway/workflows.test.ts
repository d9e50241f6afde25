// The routes of workflows, in front of a core that the test controls.
import { beforeEach, describe, expect, test } from "vitest";
import {
  CANCELLED_WORKFLOW,
  CANCELLING_WORKFLOW,
  WORKFLOW,
} from "../../gateway/openapi/examples-workflow.ts";
import { toMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { type WorkflowResource, workflowSchema } from "../../proto/resources/workflow.ts";
import type { Workflow } from "../../proto/types/atelier/v1/Workflow.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { sharedByTests } from "../support/shared.ts";
import { serveGateway } from "./serve-gateway.ts";

const gateway = sharedByTests(() => serveGateway());
beforeEach(() => {
  gateway.calls.length = 0;
  // The key of an invalid request is checked anyway.
  gateway.admit();
});

const messageOf = (workflow: WorkflowResource): Workflow =>
  toMessage<typeof workflowSchema, Workflow>(workflowSchema, workflow, { version: 3 });

const REPLY = {
  workflow_id: "wfl_1",
  state: "running",
  credits_reserved: 28,
  estimated_seconds: 10,
  steps: [
    { id: "picture", job_id: "job_1", needs: [], credits_reserved: 4 },
    { id: "clip", job_id: "job_2", needs: ["picture"], credits_reserved: 24 },
  ],
  replayed: false,
};
const PICTURE = { id: "picture", modality: "image", model_slug: "draft", prompt: "a lighthouse" };
const CLIP = {
  id: "clip",
  modality: "video",
  model_slug: "drift",
  prompt: "slowly",
  params: { image: "step:picture", seed: 7 },
  metadata: { take: "1" },
  after: ["picture"],
};
const BODY = { steps: [PICTURE, CLIP] };

const run = (body: unknown, headers?: Record<string, string>) =>
  gateway.post("/api/v1/connect/workflows", body, headers);

describe("running a workflow", () => {
  test("[FLOW-01] passes the whole request to core, and returns 202 with each step's job and the URL", async () => {
    gateway.answer("workflows.RunWorkflow", () => REPLY);
    const full = {
      ...BODY,
      callback_url: "https://example.com/hook",
      callback_on_steps: true,
      metadata: { order: "7" },
      max_credits: 30,
    };
    const response = await run(full, { "idempotency-key": "order-7", "x-request-id": "mine-1" });
    expect(response.status).toBe(202);
    expect(response.headers.get("location")).toBe("https://generate.example.com/api/workflows/wfl_1");
    expect(response.headers.get("idempotency-replayed")).toBeNull();
    const { replayed: _replayed, ...result } = REPLY;
    expect(await response.json()).toEqual({ ok: true, result });
    const { params, ...clip } = CLIP;
    expect(gateway.calls).toEqual([
      {
        method: "workflows.RunWorkflow",
        request: {
          ...full,
          steps: [PICTURE, { ...clip, params_json: JSON.stringify(params) }],
          idempotency_key: "order-7",
        },
        options: {
          caller: { kind: "key", keySha256: hashApiKey(gateway.key), source: "api" },
          requestId: "mine-1",
          signal: expect.any(AbortSignal),
        },
      },
    ]);
  });

  test("marks a response of an earlier request, and gives core time to fetch files", async () => {
    gateway.answer("workflows.RunWorkflow", () => ({ ...REPLY, replayed: true }));
    const response = await run({
      steps: [PICTURE, { ...CLIP, params: { image: "https://example.com/a.png" } }],
    });
    expect(response.headers.get("idempotency-replayed")).toBe("true");
    expect(gateway.calls[0]?.options.deadlineMs).toBeGreaterThan(30_000);
  });

  test.each([
    ["one step", { steps: [PICTURE] }, "steps"],
    [
      "more steps than allowed",
      { steps: Array.from({ length: 21 }, (_, i) => ({ ...PICTURE, id: `s${i}` })) },
      "steps",
    ],
    ["an invalid name", { steps: [PICTURE, { ...CLIP, id: "The Clip" }] }, "steps.1.id"],
    ["an unknown field", { steps: [PICTURE, { ...CLIP, needs: ["picture"] }] }, "steps.1.needs"],
    ["an empty prompt", { steps: [{ ...PICTURE, prompt: " " }, CLIP] }, "steps.0.prompt"],
    ["no steps", {}, "steps"],
  ])("refuses %s, and names the field", async (_what, body, path) => {
    const response = await run(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", issues: [{ path }] });
    expect(gateway.calls.map(({ method }) => method)).not.toContain("workflows.RunWorkflow");
  });

  test("refuses 1,000 steps before parsing them", async () => {
    const steps = Array.from({ length: 1_000 }, (_, i) => ({ ...PICTURE, id: `s${i}` }));
    expect((await run({ steps })).status).toBe(413);
  });

  test("passes on core's refusal with its step", async () => {
    gateway.fail(
      "workflows.RunWorkflow",
      () =>
        new AppError("invalid_request", {
          issues: [{ path: "steps.1.after", message: "goes in a circle" }],
        }),
    );
    const response = await run(BODY);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ issues: [{ path: "steps.1.after" }] });
  });
});

describe("a workflow", () => {
  test("[FLOW-02] is returned with its steps, and an ETag gives 304", async () => {
    gateway.answer("workflows.GetWorkflow", () => messageOf(WORKFLOW));
    const first = await gateway.call(`/api/workflows/${WORKFLOW.workflow_id}`);
    expect(await first.json()).toEqual({ ok: true, result: WORKFLOW });
    const etag = first.headers.get("etag") ?? "";
    const again = await gateway.call("/api/workflows/wfl_1", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    // The signed URL of a file changes without a new version.
    const [picture, clip] = structuredClone(WORKFLOW.steps);
    if (!picture?.outputs[0] || !clip) throw new Error("the example has made nothing");
    picture.outputs[0].url += "&later=1";
    gateway.answer("workflows.GetWorkflow", () => messageOf({ ...WORKFLOW, steps: [picture, clip] }));
    expect((await gateway.call("/api/workflows/wfl_1", { headers: { "if-none-match": etag } })).status).toBe(
      200,
    );
  });

  test("is waited for at core, up to the limit", async () => {
    gateway.answer("workflows.GetWorkflow", () => messageOf(WORKFLOW));
    await gateway.call("/api/workflows/wfl_1?wait=60");
    expect(gateway.calls[0]).toMatchObject({
      request: { workflow_id: "wfl_1", wait_seconds: 60 },
      options: { deadlineMs: 70_000 },
    });
    for (const wait of ["0", "61", "soon"])
      expect((await gateway.call(`/api/workflows/wfl_1?wait=${wait}`)).status, wait).toBe(400);
  });

  test("a workflow that is unknown, or has an impossible id, is workflow_not_found", async () => {
    gateway.fail("workflows.GetWorkflow", () => new AppError("workflow_not_found"));
    for (const id of ["wfl_none", "a%20b"]) {
      const response = await gateway.call(`/api/workflows/${id}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "workflow_not_found" });
    }
  });
});

test("[FLOW-02] workflows are listed in pages, newest first, and filtered by state", async () => {
  gateway.answer("workflows.ListWorkflows", ({ cursor }) => ({
    workflows: [messageOf(WORKFLOW)],
    next_cursor: cursor === "" ? "older" : "",
  }));
  const first = (await (await gateway.call("/api/workflows?limit=1&state=completed")).json()) as {
    result: { next_cursor: string };
  };
  expect(first).toEqual({ ok: true, result: { data: [WORKFLOW], next_cursor: "older" } });
  const last = await gateway.call(`/api/workflows?limit=1&cursor=${first.result.next_cursor}`);
  expect(await last.json()).toMatchObject({ result: { next_cursor: null } });
  expect(gateway.calls.map(({ request }) => request)).toEqual([
    { limit: 1, cursor: "", state: "completed" },
    { limit: 1, cursor: "older", state: "" },
  ]);
  expect((await gateway.call("/api/workflows?state=lost")).status).toBe(400);
});

test.each([
  ["200 when no step ran", CANCELLED_WORKFLOW, 200],
  ["202 while steps are being stopped", CANCELLING_WORKFLOW, 202],
])("[FLOW-02] cancelling a workflow returns %s", async (_what, workflow, status) => {
  gateway.answer("workflows.CancelWorkflow", () => messageOf(workflow));
  const response = await gateway.call("/api/workflows/wfl_1/cancel", { method: "POST" });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ ok: true, result: workflow });
  expect(gateway.calls[0]?.request).toEqual({ workflow_id: "wfl_1" });
});
