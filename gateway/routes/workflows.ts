// Workflows of the caller's account: sending one, reading one (with a wait for its end), all, and cancelling.
import { z } from "zod";
import { clientGone } from "../../edge/http/client-gone.ts";
import type { CallOptions } from "../../proto/client.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";
import {
  toRunWorkflowRequest,
  workflowDeadline,
  workflowRequestSchema,
  workflowResultSchema,
  workflowSchema,
  workflowStateSchema,
} from "../../proto/resources/workflow.ts";
import type { Workflow } from "../../proto/types/atelier/v1/Workflow.ts";
import { holdAnswer } from "../answers/hold-answer.ts";
import { workflowParams } from "../answers/path-params.ts";
import { toList, toResult } from "../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { CANCEL, callFor, READ } from "../http/auth.ts";
import { namesEtag, strongEtag } from "../http/etag.ts";
import { idempotencyKeyHeader } from "../http/idempotency-key.ts";
import { pageQuery, queryInteger } from "../http/query.ts";
import {
  CANCELLED_WORKFLOW,
  CANCELLING_WORKFLOW,
  WORKFLOW,
  WORKFLOW_REQUEST,
  WORKFLOW_RESULT,
} from "../openapi/examples-workflow.ts";
import { operation, listAnswer, resultAnswer } from "../openapi/operation.ts";
import { REFUSALS } from "./generate.ts";

export function workflowRoutes(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  runWorkflow(app, options);
  getWorkflow(app, options, draining);
  listWorkflows(app, options);
  cancelWorkflow(app, options);
}

function runWorkflow(app: GatewayApp, { core, generationBaseUrl }: GatewayOptions): void {
  app.post(
    "/api/v1/connect/workflows",
    operation({
      config: { access: { by: "key", scope: "write", limit: "generate" }, envelope: true },
      headers: z.looseObject({ "idempotency-key": idempotencyKeyHeader }),
      body: workflowRequestSchema,
      operationId: "runWorkflow",
      summary: "Run several jobs that build on each other",
      description:
        "A graph of 2 to 20 steps, each of them a job. A param that takes a file may name the output of another step. All credits are reserved together, or no job is created. Each step is charged when it starts. When a step fails, the steps that have not started are cancelled and their credits released. Follow it with getWorkflow or a callback_url.",
      tag: "Workflows",
      requestExample: WORKFLOW_REQUEST,
      success: {
        202: resultAnswer(
          "The workflow was accepted, with a job for each step.",
          workflowResultSchema,
          WORKFLOW_RESULT,
          ["Location", "Idempotency-Replayed"],
        ),
      },
      errors: REFUSALS,
    }),
    async (request, reply) => {
      const message = toRunWorkflowRequest(request.body, request.headers["idempotency-key"]);
      // A disconnected client gets no workflow, because it could not know about it.
      const made = await core.workflows.RunWorkflow(message, {
        ...callFor(request),
        ...workflowDeadline(request.body),
        signal: clientGone(reply),
      });
      if (made.replayed) reply.header("idempotency-replayed", "true");
      return reply
        .code(202)
        .header("location", `${generationBaseUrl}/api/workflows/${made.workflow_id}`)
        .send(toResult(fromMessage(workflowResultSchema, made)));
    },
  );
}

function getWorkflow(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  app.get(
    "/api/workflows/:workflow_id",
    operation({
      config: { access: READ, envelope: true },
      params: workflowParams,
      querystring: z.object({
        wait: queryInteger(1, MAX_WAIT_SECONDS).optional().meta({
          description: "Hold the response until the workflow has ended, at most this many seconds.",
        }),
      }),
      operationId: "getWorkflow",
      summary: "Read a workflow, step by step",
      description:
        "The state of a workflow and of each step, with their output files. getJob shows more of a step.",
      tag: "Workflows",
      success: { 200: resultAnswer("The workflow.", workflowSchema, WORKFLOW, ["ETag"]) },
      bodiless: { 304: { description: "Not changed since the ETag in If-None-Match.", headers: ["ETag"] } },
      errors: ["workflow_not_found"],
    }),
    async (request, reply) => {
      const { workflow_id } = request.params;
      const read = (wait_seconds: number, call: CallOptions): Promise<Workflow> =>
        options.core.workflows.GetWorkflow({ workflow_id, wait_seconds }, call);
      const waitSeconds = request.query.wait ?? 0;
      const workflow = await holdAnswer(options, { waitSeconds, read }, request, reply, draining);
      // The tag covers everything in the answer, because signed addresses change without a new version.
      const etag = strongEtag([workflow]);
      reply.header("etag", etag);
      if (namesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.send(toResult(fromMessage(workflowSchema, workflow)));
    },
  );
}

function listWorkflows(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    "/api/workflows",
    operation({
      config: { access: READ, envelope: true },
      querystring: z.object({
        ...pageQuery,
        state: workflowStateSchema.optional().describe("Only workflows in this state."),
      }),
      operationId: "listWorkflows",
      summary: "List workflows, newest first",
      description:
        "The workflows of the key's account, page by page, from every surface. A page may hold fewer than limit, or none, and still have a next_cursor. Only next_cursor null is the end.",
      tag: "Workflows",
      success: { 200: listAnswer("A page of workflows.", workflowSchema, WORKFLOW) },
    }),
    async (request, reply) => {
      const { limit, cursor = "", state = "" } = request.query;
      const page = await core.workflows.ListWorkflows({ limit, cursor, state }, callFor(request));
      return reply.send(toList(fromMessages(workflowSchema, page.workflows), page.next_cursor));
    },
  );
}

function cancelWorkflow(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(
    "/api/workflows/:workflow_id/cancel",
    operation({
      config: { access: CANCEL, bodyOptional: true, envelope: true },
      params: workflowParams,
      operationId: "cancelWorkflow",
      summary: "Cancel a workflow",
      description:
        "Steps that have not started are cancelled immediately, and their credits are released. Running steps are stopped where their provider can; until they have ended, the workflow is `cancelling`. Repeating the request changes nothing. The request needs no body.",
      tag: "Workflows",
      success: {
        200: resultAnswer(
          "The workflow has ended: nothing of it was running.",
          workflowSchema,
          CANCELLED_WORKFLOW,
        ),
        202: resultAnswer("Steps of it run, and are being stopped.", workflowSchema, CANCELLING_WORKFLOW),
      },
      errors: ["insufficient_scope", "workflow_not_found", "workflow_not_cancellable"],
    }),
    async (request, reply) => {
      const { workflow_id } = request.params;
      const workflow = await core.workflows.CancelWorkflow({ workflow_id }, callFor(request));
      return reply
        .code(workflow.ended_at === undefined ? 202 : 200)
        .send(toResult(fromMessage(workflowSchema, workflow)));
    },
  );
}
