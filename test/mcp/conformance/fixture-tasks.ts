// Tasks that ask, stop and fail as jobs do not, for the conformance suite.
import type { InputRequests } from "@modelcontextprotocol/server";
import { jobTasks } from "../../../mcp/jobs/task.ts";
import type { TaskDetail, Tasks } from "../../../mcp/protocol/task.ts";
import type { ToolSuccess } from "../../../mcp/protocol/tool.ts";
import type { CallOptions } from "../../../proto/client.ts";
import { hashApiKey } from "../../../runtime/keys/api-key.ts";
import type { CoreInMemory } from "../core-in-memory.ts";

type Plan = Pick<TaskDetail, "result" | "error"> & { asked?: InputRequests };

export type FixtureTasks = {
  /** The owner of the jobs behind some tasks; endpoints without keys have one too. */
  readonly call: CallOptions;
  readonly tasks: Tasks;
  /** A task that first asks these questions, and then has this outcome. */
  begin(plan: Plan): ToolSuccess<Record<string, never>>;
};

export function startFixtureTasks(core: CoreInMemory): FixtureTasks {
  const keySha256 = hashApiKey(core.addKey());
  const call: CallOptions = { caller: { kind: "key", keySha256, source: "mcp" }, requestId: "req_fixture" };
  const known = new Map<string, { plan: Plan; createdAt: string; isCancelled: boolean }>();

  function toDetail(taskId: string): TaskDetail | undefined {
    const entry = known.get(taskId);
    if (!entry) return undefined;
    const { plan, createdAt, isCancelled } = entry;
    const task = {
      taskId,
      statusMessage: "",
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: null,
      pollIntervalMs: 50,
    };
    if (isCancelled) return { ...task, status: "cancelled" };
    if (plan.asked && Object.keys(plan.asked).length > 0)
      return { ...task, status: "input_required", inputRequests: plan.asked };
    if (plan.error) return { ...task, status: "failed", error: plan.error };
    return {
      ...task,
      status: "completed",
      result: plan.result ?? { content: [{ type: "text", text: "Done." }] },
    };
  }

  return {
    call,
    begin(plan) {
      const taskId = `fixture_${known.size + 1}`;
      known.set(taskId, { plan, createdAt: new Date().toISOString(), isCancelled: false });
      const {
        result: _result,
        error: _error,
        inputRequests: _asked,
        ...task
      } = toDetail(taskId) as TaskDetail;
      return { text: taskId, structured: {}, task: { ...task, status: "working" } };
    },
    tasks: {
      ...jobTasks,
      read: async (taskId, context) => toDetail(taskId) ?? jobTasks.read(taskId, { ...context, call }),
      async cancel(taskId, context) {
        const entry = known.get(taskId);
        if (entry) entry.isCancelled = true;
        else await jobTasks.cancel(taskId, { ...context, call });
      },
      async respond(taskId, responses, context) {
        const entry = known.get(taskId);
        if (!entry) return jobTasks.respond(taskId, responses, { ...context, call });
        const left = Object.entries(entry.plan.asked ?? {}).filter(
          ([name]) => !Object.hasOwn(responses, name),
        );
        entry.plan = { ...entry.plan, asked: Object.fromEntries(left) };
      },
    },
  };
}
