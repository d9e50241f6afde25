// tasks/get, tasks/cancel and tasks/update for clients of the current protocol that declare the extension. A task is a job or
// a workflow, so its owner is checked by core on every call.
import { fromMessage } from "../../proto/codec.ts";
import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  type Result,
  type Server,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import { workflowSchema } from "../../proto/resources/workflow.ts";
import { outcomeSchema, toOutcome } from "../jobs/outcome.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";
import { readTaskId, type Task, TASKS_EXTENSION, toTask, workflowTask } from "../jobs/task.ts";
import { isWorkflowId, toWorkflowOutcome, workflowOutcomeSchema } from "../jobs/workflow-outcome.ts";
import { keepListed } from "./listed-fields.ts";
import { toProtocolError } from "./refuse.ts";
import { toCallToolResult } from "./tool.ts";

const keepOutcome = keepListed(outcomeSchema);
const keepWorkflow = keepListed(workflowOutcomeSchema);

type Act = (taskId: string, core: CoreClient, call: CallOptions) => Promise<Result>;

const METHODS: Readonly<Record<string, Act>> = {
  "tasks/get": async (taskId, core, call) => {
    const { task, answer } = await readTask(taskId, core, call);
    return task.status === "completed"
      ? { ...task, result: { ...(await answer()), resultType: "complete" } }
      : task;
  },
  // The client hears only that it was heard: what cannot be stopped goes on, and tasks/get tells which it was.
  "tasks/cancel": async (taskId, core, call) => {
    try {
      if (isWorkflowId(taskId)) await core.workflows.CancelWorkflow({ workflow_id: taskId }, call);
      else await core.jobs.CancelJob({ job_id: readTaskId(taskId).jobId }, call);
    } catch (error) {
      if (!(error instanceof AppError && TOO_LATE.includes(error.code))) throw error;
    }
    return {};
  },
  // No task ever asks anything, so every answer to a question is one that nobody waits for.
  "tasks/update": async (taskId, core, call) => {
    await readTask(taskId, core, call);
    return {};
  },
};

const TOO_LATE: readonly string[] = ["job_not_cancellable", "workflow_not_cancellable"];

const paramsSchema = z.looseObject({ taskId: z.string() });

/** Adds the methods to the server of one exchange. `declared` says whether the client takes tasks. */
export function serveTasks(server: Server, declared: boolean, exchange: Exchange, face: ServerEdge): void {
  const { core, call } = exchange.tools;
  for (const [method, act] of Object.entries(METHODS)) {
    server.setRequestHandler(method, { params: paramsSchema }, async ({ taskId }, { mcpReq }) => {
      if (!declared) {
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        });
      }
      try {
        return await act(taskId, core, { ...call, signal: mcpReq.signal });
      } catch (error) {
        // The extension's own code for a task that is not there.
        throw toProtocolError(error, mcpReq.signal, exchange, face, ["job_not_found", "workflow_not_found"]);
      }
    });
  }
}

/** The task, and what the call that began it would answer now. */
async function readTask(
  taskId: string,
  core: CoreClient,
  call: CallOptions,
): Promise<{ task: Task; answer: () => Promise<CallToolResult> }> {
  if (isWorkflowId(taskId)) {
    const message = await core.workflows.GetWorkflow({ workflow_id: taskId, wait_seconds: 0 }, call);
    const workflow = fromMessage(workflowSchema, message);
    const answer = async () => toCallToolResult(toWorkflowOutcome(workflow), keepWorkflow);
    return { task: workflowTask(workflow), answer };
  }
  const { jobId, preview } = readTaskId(taskId);
  const job = fromMessage(jobSchema, await core.jobs.GetJob({ job_id: jobId, wait_seconds: 0 }, call));
  const answer = async () => toCallToolResult(await toOutcome(job, { core, call, preview }), keepOutcome);
  return { task: toTask(job, { preview }), answer };
}
