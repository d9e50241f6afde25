// The Workflows service: decode, call the verb, encode.
import { toMessage } from "../../../proto/codec.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { workflowRequestSchema, workflowSchema } from "../../../proto/resources/workflow.ts";
import type { RunWorkflowReplyInput } from "../../../proto/types/atelier/v1/RunWorkflowReply.ts";
import type { RunWorkflowRequest } from "../../../proto/types/atelier/v1/RunWorkflowRequest.ts";
import type { WorkflowInput } from "../../../proto/types/atelier/v1/Workflow.ts";
import type { WorkflowsDefinition } from "../../../proto/types/atelier/v1/Workflows.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { orAsk } from "../../identity/approvals/ask.ts";
import type { App } from "../../kernel/app.ts";
import { type Handlers, readMessage, withoutNulls } from "../../kernel/rpc.ts";
import { coreFields, WATCH_ROUND_MS, waitSchema } from "../jobs/rpc.ts";
import type { UploadReceiver } from "../uploads/receive.ts";
import { type AcceptedWorkflow, acceptWorkflow, type WorkflowAsked } from "./accept.ts";
import { cancelWorkflow } from "./cancel.ts";
import {
  getWorkflow,
  type ShownWorkflow,
  showWorkflow,
  watchWorkflow,
  type WorkflowWatching,
} from "./get.ts";
import { listWorkflows } from "./list.ts";

export function workflowsHandlers(
  app: App,
  { watching, uploads }: { watching: WorkflowWatching; uploads: UploadReceiver },
): Handlers<WorkflowsDefinition> {
  return {
    RunWorkflow: async (request, { caller, signal }) => {
      const asked = { caller, ...decode(request) };
      return replyOf(await orAsk(app, () => acceptWorkflow(app, uploads, asked, signal), asked.confirmedId));
    },
    GetWorkflow: async (request, { caller, signal }) => {
      const { account } = await authenticate(app, caller, "read");
      const { wait_seconds: waitSeconds } = parseRequest(waitSchema, request);
      const ref = { accountId: account._id, workflowId: request.workflow_id };
      return workflowMessage(await getWorkflow(app, watching, { ...ref, waitSeconds }, signal));
    },
    ListWorkflows: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      const { workflows, nextCursor } = await listWorkflows(app, { accountId: account._id, ...request });
      return {
        workflows: workflows.map((one) => toMessage(workflowSchema, one)),
        next_cursor: nextCursor,
      };
    },
    CancelWorkflow: async (request, { caller, signal }) => {
      const { account } = await authenticate(app, caller, "write");
      const ref = { accountId: account._id, workflowId: request.workflow_id };
      await cancelWorkflow(app, ref, signal);
      return workflowMessage(await showWorkflow(app, ref));
    },
    WatchWorkflow: async function* (request, { caller, signal, begin }) {
      const stillMay = () => authenticate(app, caller, "read");
      const { account } = await stillMay();
      const ref = { accountId: account._id, workflowId: request.workflow_id };
      begin?.();
      const options = { signal, roundMs: WATCH_ROUND_MS, stillMay };
      for await (const shown of watchWorkflow(app, watching, ref, options)) yield workflowMessage(shown);
    },
  };
}

const runSchema = workflowRequestSchema.extend(coreFields);

/** Whatever a gateway would refuse is refused here too: other services have no gateway before them. */
function decode(message: RunWorkflowRequest): Omit<WorkflowAsked, "caller"> {
  const {
    idempotency_key: idempotencyKey = null,
    confirmation_id: confirmedId,
    ...request
  } = parseRequest(runSchema, readMessage(runSchema, message));
  const steps = request.steps.map((step) =>
    step.params ? { ...step, params: withoutNulls(step.params) } : step,
  );
  return { request: { ...request, steps }, idempotencyKey, confirmedId };
}

/** The answer of the first request, whatever has happened to the workflow since. */
function replyOf({ workflow, replayed }: AcceptedWorkflow): RunWorkflowReplyInput {
  const { steps } = workflow;
  return {
    workflow_id: workflow._id,
    state: "running",
    credits_reserved: workflow.credits,
    estimated_seconds: workflow.estimated_seconds,
    steps: steps.map(({ id, job_id, needs, credits }) => ({
      id,
      job_id,
      needs: needs.map((place) => steps[place]?.id ?? ""),
      credits_reserved: credits,
    })),
    replayed,
  };
}

export function workflowMessage({ shown, version }: ShownWorkflow): WorkflowInput {
  return toMessage(workflowSchema, shown, { version });
}
