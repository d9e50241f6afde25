// Moves workflows on in the background: immediately if this process has heard that a step ended, and whatever else is due, since a crash or
// another process may have left something to do.
import { createService } from "../../../runtime/service.ts";
import { isDatabaseAway, isPassing } from "../../base/mongo/errors.ts";
import type { App } from "../../kernel/app.ts";
import { advanceWorkflow, type WorkflowRef } from "./advance.ts";
import { LOOK_MS } from "./rules.ts";
import { takeDueWorkflows } from "./store.ts";

/** The most that are taken together; the rest is due immediately. */
const LOOKED_AT = 200;
/** The most that are moved on at the same time. */
const IN_PARALLEL = 8;

export type Advancer = { start(): void; stop(): Promise<void> };

export function createAdvancer(app: App): Advancer {
  const heard = new Map<string, WorkflowRef>();
  let sweepAtMs = 0;
  const service = createService({ log: app.log, isOutage: isPassing });
  const ring = service.loop("move workflows on", async () => {
    const told = [...heard.values()];
    heard.clear();
    await advanceAll(app, told);
    const now = performance.now();
    if (now < sweepAtMs) return sweepAtMs - now;
    const looked = await sweepWorkflows(app);
    sweepAtMs = looked < LOOKED_AT ? performance.now() + LOOK_MS : 0;
    return looked < LOOKED_AT ? LOOK_MS : 0;
  });
  const onStepEnded = (ended: readonly WorkflowRef[]) => {
    for (const ref of ended) heard.set(ref.workflowId, ref);
    ring();
  };
  return {
    start: () => {
      app.signals.on("stepEnded", onStepEnded);
      service.start();
    },
    stop: async () => {
      app.signals.off("stepEnded", onStepEnded);
      await service.stop();
    },
  };
}

/** Looks at those that are due. Safe in several workers at the same time. Returns how many. */
export async function sweepWorkflows(app: App): Promise<number> {
  const now = app.clock.now();
  const until = new Date(now.getTime() + LOOK_MS);
  const due = await takeDueWorkflows(app.mongo.db, { now, until, limit: LOOKED_AT });
  await advanceAll(app, due);
  return due.length;
}

/** An error with one does not affect the others: it is due again in a moment. Throws if the database is unavailable. */
async function advanceAll(app: App, refs: readonly WorkflowRef[]): Promise<void> {
  for (let i = 0; i < refs.length; i += IN_PARALLEL)
    await Promise.all(refs.slice(i, i + IN_PARALLEL).map((ref) => advanceOne(app, ref)));
}

async function advanceOne(app: App, ref: WorkflowRef): Promise<void> {
  try {
    await advanceWorkflow(app, ref);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    app.log[isPassing(error) ? "warn" : "error"](
      { err: error, workflow_id: ref.workflowId },
      "could not move a workflow on; it is tried again in a moment",
    );
  }
}
