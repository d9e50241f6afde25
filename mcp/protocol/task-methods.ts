// tasks/get, tasks/cancel and tasks/update for clients of the current protocol that declare the extension. The caller defines what a task
// is.
import type { Result, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../proto/codes.ts";
import type { ClientInput } from "./client-input.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";
import { toProtocolError } from "./refuse.ts";
import { requireTasks, type TaskDetail, type Tasks } from "./task.ts";

const paramsSchema = z.looseObject({ taskId: z.string() });
type Asked = { taskId: string; responses: ClientInput["responses"] };
type Act = (tasks: Tasks, asked: Asked, context: Parameters<Tasks["read"]>[1]) => Promise<Result>;

const METHODS: Readonly<Record<string, Act>> = {
  "tasks/get": async (tasks, { taskId }, context) => toDetail(await tasks.read(taskId, context)),
  // The response only acknowledges the request: work that cannot be stopped continues, and tasks/get shows the outcome.
  "tasks/cancel": async (tasks, { taskId }, context) => {
    try {
      await tasks.cancel(taskId, context);
    } catch (error) {
      if (!(error instanceof AppError && tasks.tooLate.includes(error.code))) throw error;
    }
    return {};
  },
  "tasks/update": async (tasks, { taskId, responses }, context) => {
    await tasks.respond(taskId, responses, context);
    return {};
  },
};

/** A task as tasks/get answers it. */
export function toDetail({ result, ...task }: TaskDetail): Result {
  return { ...task, ...(result && { result: { ...result, resultType: "complete" } }) };
}

/** Adds the methods to the server of one exchange. */
export function serveTasks(
  server: Server,
  tasks: Tasks,
  input: ClientInput,
  exchange: Exchange,
  edge: ServerEdge,
): void {
  const { core, call } = exchange.tools;
  for (const [method, act] of Object.entries(METHODS)) {
    server.setRequestHandler(method, { params: paramsSchema }, async ({ taskId }, { mcpReq }) => {
      requireTasks(input);
      try {
        return await act(
          tasks,
          { taskId, responses: input.responses },
          { core, call: { ...call, signal: mcpReq.signal } },
        );
      } catch (error) {
        // The extension's own code for a task that does not exist.
        throw toProtocolError(error, mcpReq.signal, exchange, edge, tasks.notFound);
      }
    });
  }
}
