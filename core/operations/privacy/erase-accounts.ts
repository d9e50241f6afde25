// Erases what deleted accounts have left: the words of their workflows and jobs, files, uploads, deliveries, Idempotency-Keys, memos, and the words in
// their archives.
import type { App } from "../../kernel/app.ts";
import { forgetArchivedWords } from "../../kernel/archive/forget-words.ts";
import { forgetMemos } from "../../identity/credits/forget-memos.ts";
import { forgetJobs } from "../../studio/jobs/forget-jobs.ts";
import { forgetUploads } from "../../studio/uploads/own-uploads.ts";
import { forgetWorkflows } from "../../studio/workflows/forget.ts";
import { findUnerased, saveErased } from "./store.ts";

/** Every account that is not erased yet. Safe in several workers at once, and to repeat. Answers how many are through. */
export async function eraseDeletedAccounts(app: App): Promise<number> {
  let erased = 0;
  for (const accountId of await findUnerased(app.mongo.db))
    if (await eraseAccount(app, accountId)) erased += 1;
  return erased;
}

/**
 * Workflows and waiting jobs are cancelled and release their credits; running ones end by themselves and are erased by the next sweep. Answers whether
 * nothing is left. What the audit counts stays: entries of the ledger, and of each job its state, price and steps.
 */
export async function eraseAccount(app: App, accountId: string): Promise<boolean> {
  await forgetMemos(app, accountId);
  const runningWorkflows = await forgetWorkflows(app, accountId);
  const runningJobs = await forgetJobs(app, accountId);
  if (runningWorkflows > 0 || runningJobs > 0) return false;
  await forgetUploads(app, accountId);
  // Last: what was archived meanwhile is in it.
  await forgetArchivedWords(app, accountId);
  await saveErased(app.mongo.db, accountId, app.clock.now());
  return true;
}
