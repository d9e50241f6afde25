// /workflows and its actions: view and cancel.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { CoreClient } from "../../../proto/client.ts";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { workflowSchema } from "../../../proto/resources/workflow.ts";
import { workflowParams } from "../../answers/path-params.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { buildPages } from "./build.ts";
import { askModelNames } from "./model-names.ts";
import { workflowPath, WORKFLOWS_PATH } from "./paths.ts";
import { workflowPage } from "./workflow-page.ts";
import { workflowsPage } from "./workflows-page.ts";

const PAGE_SIZE = 25;
const workflowsQuery = z.object({ cursor: pageQuery.cursor });

export function workflowPages(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;
  buildPages(app, options);
  app.get(WORKFLOWS_PATH, { schema: { querystring: workflowsQuery } }, async (request, reply) => {
    const { cursor = "" } = request.query;
    const page = await core.workflows.ListWorkflows({ limit: PAGE_SIZE, cursor }, personCall(request));
    return renderPage(
      reply,
      workflowsPage({
        person: request.person,
        workflows: fromMessages(workflowSchema, page.workflows),
        cursor,
        nextCursor: page.next_cursor,
        now: new Date(),
      }),
    );
  });

  const ofWorkflow = { schema: { params: workflowParams } };
  app.get(`${WORKFLOWS_PATH}/:workflow_id`, ofWorkflow, (request, reply) =>
    sendWorkflow(reply, core, request.params.workflow_id),
  );

  app.post(`${WORKFLOWS_PATH}/:workflow_id/cancel`, ofWorkflow, async (request, reply) => {
    const { workflow_id } = request.params;
    try {
      await core.workflows.CancelWorkflow({ workflow_id }, personCall(request));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "workflow_not_cancellable") throw error;
      return sendWorkflow(reply, core, workflow_id, error);
    }
    return reply.redirect(workflowPath(workflow_id), 303);
  });
}

async function sendWorkflow(
  reply: FastifyReply,
  core: CoreClient,
  workflowId: string,
  refusal?: AppError,
): Promise<FastifyReply> {
  const call = personCall(reply.request);
  const [message, modelName] = await Promise.all([
    core.workflows.GetWorkflow({ workflow_id: workflowId }, call),
    askModelNames(core, reply.request),
  ]);
  const page = workflowPage({
    person: reply.request.person,
    workflow: fromMessage(workflowSchema, message),
    modelName,
    now: new Date(),
    ...(refusal && { refusal }),
  });
  return renderPage(reply, { ...page, ...(refusal && { status: ERROR_TABLE[refusal.code].http }) });
}
