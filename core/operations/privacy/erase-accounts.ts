// Erases what deleted accounts have left: of each document all but what its classes count, files, uploads, deliveries, Idempotency-Keys, and the
// same of their archives.
import { forgetDemoCustomer } from "../../adapters/payments/forget-customer.ts";
import { forgetClosedAccount } from "../../identity/accounts/close-account.ts";
import { ENTRY_FACTS_FIELDS } from "../../identity/credits/archive-rules.ts";
import { forgetMemos } from "../../identity/credits/forget-memos.ts";
import type { App } from "../../kernel/app.ts";
import { forgetArchived } from "../../kernel/archive/forget.ts";
import { forgetOrders } from "../../shop/orders/forget.ts";
import { forgetSubscriptions } from "../../shop/subscriptions/own.ts";
import { forgetJobs } from "../../studio/jobs/forget-jobs.ts";
import { JOB_FIELDS } from "../../studio/jobs/fields.ts";
import { forgetUploads } from "../../studio/uploads/own-uploads.ts";
import { forgetWorkflows } from "../../studio/workflows/forget.ts";
import { WORKFLOW_FIELDS } from "../../studio/workflows/fields.ts";
import { findUnerased, saveErased } from "./store.ts";

/** Of rows in the archive. */
const ARCHIVED = { ledger: ENTRY_FACTS_FIELDS, jobs: JOB_FIELDS, workflows: WORKFLOW_FIELDS };

/**
 * Every account that is not erased yet. Safe in several workers at once, and to repeat. Answers how many are through. What goes wrong with
 * one is thrown once the others were tried.
 */
export async function eraseDeletedAccounts(app: App): Promise<number> {
  let erased = 0;
  const wrong: unknown[] = [];
  for (const accountId of await findUnerased(app.mongo.db))
    try {
      if (await eraseAccount(app, accountId)) erased += 1;
    } catch (error) {
      wrong.push(error);
    }
  if (wrong.length > 0) throw wrong[0];
  return erased;
}

/**
 * Workflows and waiting jobs are cancelled and release their credits; running ones end by themselves and are erased by the next sweep. Answers whether
 * nothing is left. What the audit counts stays: entries of the ledger, and of each job its state, price and steps.
 */
export async function eraseAccount(app: App, accountId: string): Promise<boolean> {
  await forgetClosedAccount(app, accountId);
  await forgetMemos(app, accountId);
  await forgetOrders(app, accountId);
  await forgetSubscriptions(app, accountId);
  await forgetDemoCustomer(app, accountId);
  const runningWorkflows = await forgetWorkflows(app, accountId);
  const runningJobs = await forgetJobs(app, accountId);
  if (runningWorkflows > 0 || runningJobs > 0) return false;
  await forgetUploads(app, accountId);
  // Last: what was archived meanwhile is in it.
  if (!(await forgetArchived(app, accountId, ARCHIVED))) return false;
  await saveErased(app.mongo.db, accountId, app.clock.now());
  return true;
}
