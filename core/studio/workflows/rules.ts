// The life of a workflow: what is to be done with each of its steps, and when it has ended. This file is pure.
import type { EndState } from "../jobs/store.ts";

/** How often a running workflow is examined, whatever is heard of its steps: a crash may have left something to do. */
export const LOOK_MS = 2_000;

/**
 * The state of a step. blocked: it waits for others. waiting: its job waits to be claimed. stopping: it runs, and is to be cancelled;
 * fixed: it runs at a provider that cannot stop.
 */
export const STANDINGS = [
  "blocked",
  "waiting",
  "running",
  "fixed",
  "stopping",
  "completed",
  "failed",
  "cancelled",
] as const;
export type Standing = (typeof STANDINGS)[number];

/** running: no step has failed. failing: a step has failed or was cancelled. cancelling: the owner has requested cancellation. */
export const PHASES = ["running", "failing", "cancelling"] as const;
export type Phase = (typeof PHASES)[number];

/**
 * ready: it gets what it needs and enters the queue, once everything that it needs has completed. release: it is cancelled, and its credits
 * are released. stop: its provider is to stop. none: nothing, now or ever.
 */
export type Move = "ready" | "release" | "stop" | "none";

/** What is to be done with a step. */
export const MOVES: Readonly<Record<Phase, Readonly<Record<Standing, Move>>>> = {
  running: {
    blocked: "ready",
    waiting: "none",
    running: "none",
    fixed: "none",
    stopping: "none",
    completed: "none",
    failed: "none",
    cancelled: "none",
  },
  failing: {
    blocked: "release",
    waiting: "release",
    running: "none",
    fixed: "none",
    stopping: "none",
    completed: "none",
    failed: "none",
    cancelled: "none",
  },
  cancelling: {
    blocked: "release",
    waiting: "release",
    running: "stop",
    fixed: "none",
    stopping: "none",
    completed: "none",
    failed: "none",
    cancelled: "none",
  },
};

/** The parts of a step that decide. */
export type StepInfo = { readonly standing: Standing; readonly needs: readonly number[] };

/** What is to be done with a step, by its position. */
export type StepMove = { readonly place: number; readonly move: Exclude<Move, "none"> };

const ENDS: ReadonlySet<Standing> = new Set<Standing>(["completed", "failed", "cancelled"]);

export function phaseOf(steps: readonly StepInfo[], isCancelling: boolean): Phase {
  if (isCancelling) return "cancelling";
  return steps.some(({ standing }) => standing === "failed" || standing === "cancelled")
    ? "failing"
    : "running";
}

/** What is to be done with the steps now. After it was done, nothing is left. */
export function movesOf(steps: readonly StepInfo[], isCancelling: boolean): StepMove[] {
  const moves = MOVES[phaseOf(steps, isCancelling)];
  return steps.flatMap(({ standing, needs }, place) => {
    const move = moves[standing];
    const mayBegin = needs.every((need) => steps[need]?.standing === "completed");
    return move === "none" || (move === "ready" && !mayBegin) ? [] : [{ place, move }];
  });
}

/** How a workflow with these steps has ended; undefined while one of them is in progress. */
export function endOf(steps: readonly StepInfo[]): EndState | undefined {
  if (!steps.every(({ standing }) => ENDS.has(standing))) return undefined;
  if (steps.some(({ standing }) => standing === "failed")) return "failed";
  return steps.some(({ standing }) => standing === "cancelled") ? "cancelled" : "completed";
}
