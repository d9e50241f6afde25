// Moves old workflows of an account, with their deliveries, into segments.
import type { Cut } from "../../identity/credits/archive-entries.ts";
import type { App } from "../../kernel/app.ts";
import { archiveOldest } from "../jobs/archive-jobs.ts";
import { splitWorkflow } from "./archive-rules.ts";
import { workflows } from "./store.ts";

/** Writes one segment; returns whether it did. Call it only after the Idempotency-Keys of jobs as old as these were forgotten. */
export async function archiveWorkflows(app: App, cut: Cut): Promise<boolean> {
  const old = { kind: "workflows", prefix: "wfl", collection: workflows, split: splitWorkflow } as const;
  return archiveOldest(app, cut, old);
}
