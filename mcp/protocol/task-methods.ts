// tasks/get, tasks/cancel and tasks/update for clients of the current protocol that declare the extension. A task is a job, so its
// owner is checked by core on every call.
import { fromMessage } from "../../proto/codec.ts";
import { MissingRequiredClientCapabilityError, type Result, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { jobSchema, type JobResource } from "../../proto/resources/job.ts";
import { outcomeSchema, toOutcome } from "../jobs/outcome.ts";
import type { Exchange, ServerFace } from "./exchange.ts";
import { readTaskId, TASKS_EXTENSION, toTask } from "../jobs/task.ts";
import { keepListed } from "./listed-fields.ts";
import { toProtocolError } from "./refuse.ts";
import { toCallToolResult } from "./tool.ts";

const keepOutcome = keepListed(outcomeSchema);

type Act = (taskId: string, core: CoreClient, call: CallOptions) => Promise<Result>;

const METHODS: Readonly<Record<string, Act>> = {
  "tasks/get": async (taskId, core, call) => {
    const { preview } = readTaskId(taskId);
    const job = await readJob(taskId, core, call);
    const task = toTask(job, { preview });
    if (task.status !== "completed") return task;
    const outcome = await toOutcome(job, { core, call, preview });
    return { ...task, result: { ...toCallToolResult(outcome, keepOutcome), resultType: "complete" } };
  },
  // The client hears only that it was heard: what cannot be stopped goes on, and tasks/get tells which it was.
  "tasks/cancel": async (taskId, core, call) => {
    try {
      await core.jobs.CancelJob({ job_id: readTaskId(taskId).jobId }, call);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "job_not_cancellable")) throw error;
    }
    return {};
  },
  // No job ever asks anything, so every answer to a question is one that nobody waits for.
  "tasks/update": async (taskId, core, call) => {
    await readJob(taskId, core, call);
    return {};
  },
};

const paramsSchema = z.looseObject({ taskId: z.string() });

/** Adds the methods to the server of one exchange. `declared` says whether the client takes tasks. */
export function serveTasks(server: Server, declared: boolean, exchange: Exchange, face: ServerFace): void {
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
        throw toProtocolError(error, mcpReq.signal, exchange, face, ["job_not_found"]);
      }
    });
  }
}

async function readJob(taskId: string, core: CoreClient, call: CallOptions): Promise<JobResource> {
  return fromMessage(
    jobSchema,
    await core.jobs.GetJob({ job_id: readTaskId(taskId).jobId, wait_seconds: 0 }, call),
  );
}
