// tasks/get, tasks/cancel and tasks/update for clients of the current protocol that declare the extension. What a task is comes from outside.
import { MissingRequiredClientCapabilityError, type Result, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../proto/codes.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";
import { toProtocolError } from "./refuse.ts";
import { type Tasks, TASKS_EXTENSION } from "./task.ts";

type Act = (tasks: Tasks, ...asked: Parameters<Tasks["read"]>) => Promise<Result>;

const METHODS: Readonly<Record<string, Act>> = {
  "tasks/get": async (tasks, ...asked) => {
    const { task, answer } = await tasks.read(...asked);
    return task.status === "completed"
      ? { ...task, result: { ...(await answer()), resultType: "complete" } }
      : task;
  },
  // The client hears only that it was heard: what cannot be stopped goes on, and tasks/get tells which it was.
  "tasks/cancel": async (tasks, ...asked) => {
    try {
      await tasks.cancel(...asked);
    } catch (error) {
      if (!(error instanceof AppError && tasks.tooLate.includes(error.code))) throw error;
    }
    return {};
  },
  // No task ever asks anything, so every answer to a question is one that nobody waits for.
  "tasks/update": async (tasks, ...asked) => {
    await tasks.read(...asked);
    return {};
  },
};

const paramsSchema = z.looseObject({ taskId: z.string() });

/** Adds the methods to the server of one exchange. `declared` says whether the client takes tasks. */
export function serveTasks(
  server: Server,
  tasks: Tasks,
  declared: boolean,
  exchange: Exchange,
  face: ServerEdge,
): void {
  const { core, call } = exchange.tools;
  for (const [method, act] of Object.entries(METHODS)) {
    server.setRequestHandler(method, { params: paramsSchema }, async ({ taskId }, { mcpReq }) => {
      if (!declared) {
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        });
      }
      try {
        return await act(tasks, taskId, { core, call: { ...call, signal: mcpReq.signal } });
      } catch (error) {
        // The extension's own code for a task that is not there.
        throw toProtocolError(error, mcpReq.signal, exchange, face, tasks.notFound);
      }
    });
  }
}
