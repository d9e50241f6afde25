// The words for workflows on pages.
import type { WorkflowResource } from "../../../proto/resources/workflow.ts";
import { counted, credits } from "../design/format.ts";

export function isUnderWay({ state }: Pick<WorkflowResource, "state">): boolean {
  return state === "running" || state === "cancelling";
}

/** For example 2 of 3 steps done. */
export function stepsDone({ steps }: Pick<WorkflowResource, "steps">): string {
  const done = steps.filter(({ state }) => state === "completed").length;
  return `${done} of ${counted(steps.length, "step")} done`;
}

/** The state in one line, which screen readers announce when it changes. */
export function workflowStanding(workflow: WorkflowResource): string {
  const { state, steps, credits_charged: charged } = workflow;
  switch (state) {
    case "running":
      return `Running, ${stepsDone(workflow)}.`;
    case "cancelling":
      return "Stopping. Steps that have not started are cancelled; their credits are available again.";
    case "completed":
      return `Completed: ${counted(steps.length, "step")}, ${credits(charged)} charged.`;
    case "failed": {
      const failed = steps.filter((step) => step.state === "failed").map(({ id }) => id);
      return `Failed at ${failed.join(", ")}, ${stepsDone(workflow)}. ${restWords(charged)}`;
    }
    case "cancelled":
      return `Cancelled, ${stepsDone(workflow)}. ${restWords(charged)}`;
  }
}

function restWords(charged: number): string {
  return charged === 0
    ? "All credits came back."
    : `${credits(charged)} charged for what was made; all others came back.`;
}
