// Cancels a workflow at its owner's wish: steps that have not started end at once, running ones as soon as their providers have stopped.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import type { ClientSession } from "../../base/mongo/client.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { announce, type Moved, moveOn, type WorkflowRef } from "./advance.ts";
import { findWorkflow } from "./store.ts";

/** Asking again changes nothing. Errors: workflow_not_found, workflow_not_cancellable. */
export async function cancelWorkflow(app: App, ref: WorkflowRef, signal?: AbortSignal): Promise<void> {
  const at = app.clock.now();
  const work = async (session: ClientSession): Promise<Moved | undefined> => {
    const workflow = await findWorkflow(app.mongo.db, ref, session);
    if (!workflow) throw new AppError("workflow_not_found");
    const { state, cancel_requested_at: wishedAt } = workflow;
    // Asked again: the answer to the first time may have been lost.
    if (state === "cancelled" || (state === "running" && wishedAt)) return undefined;
    if (state !== "running")
      throw new AppError("workflow_not_cancellable", {
        message: `This workflow has ended: it is ${state}.`,
      });
    return moveOn(app, workflow, { gifts: new Map(), at, session, set: { cancel_requested_at: at } });
  };
  // Nothing is done for a caller who has gone.
  const beforeCommit = () => {
    if (signal?.aborted) throw new AppError("deadline_exceeded");
  };
  const moved = await app.mongo.contention.run(() => inTx(app.mongo, work, { beforeCommit }));
  if (moved) announce(app, moved);
}
