// Passes over all accounts once a day and archives what ended long ago: jobs and workflows with their deliveries, and entries of the
// ledger.
import { isPassing } from "../../base/mongo/errors.ts";
import { ObjectStoreError } from "../../base/objects/object-store.ts";
import { accountsAfter } from "../../identity/accounts/list-ids.ts";
import { archiveEntries, type Cut } from "../../identity/credits/archive-entries.ts";
import type { App } from "../../kernel/app.ts";
import { PassLost, takePass } from "../../kernel/archive/pass.ts";
import { archiveJobs, beginArchivingJobs } from "../../studio/jobs/archive-jobs.ts";
import { archiveWorkflows } from "../../studio/workflows/archive-workflows.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ACCOUNTS_PER_BATCH = 100;

type Numbers = { readonly jobs: number; readonly entries: number };
export type Sizes = { readonly least: Numbers; readonly most: Numbers };

const SIZES: Sizes = {
  /** Fewer old rows of an account stay where they are: a segment of a handful would take more space than they do. */
  least: { jobs: 100, entries: 200 },
  /** The most rows that are read into memory for a segment. */
  most: { jobs: 1_000, entries: 4_000 },
};

/**
 * Runs one pass, or the rest of an interrupted one, if it is due and no other worker has it. Any number of workers may call this: a segment
 * is written by one of them, whatever happens to the lease. Returns how many segments it wrote.
 */
export async function archiveOld(app: App, signal?: AbortSignal, sizes = SIZES): Promise<number> {
  const days = app.config.archiveAfterDays;
  if (days === 0) return 0;
  const pass = await takePass(app);
  if (!pass) return 0;
  const before = new Date(pass.begun.getTime() - days * DAY_MS);
  let segments = 0;
  try {
    while (!signal?.aborted) {
      const accounts = await accountsAfter(app, pass.after, ACCOUNTS_PER_BATCH);
      for (const account of accounts) {
        segments += await archiveAccount(app, { ...account, before, sizes, beat: pass.beat }, signal);
        // An interrupted account is the first of the next step.
        if (signal?.aborted) return segments;
        pass.after = account.accountId;
      }
      if (accounts.length < ACCOUNTS_PER_BATCH) {
        await pass.end();
        return segments;
      }
      await pass.beat();
    }
    return segments;
  } finally {
    await pass.leave();
  }
}

type Archiving = {
  readonly accountId: string;
  /** The number of entries that its ledger ever had. */
  readonly entries: number;
  readonly before: Date;
  readonly sizes: Sizes;
  beat(): Promise<void>;
};

/** Returns how many segments it wrote. An error with one account does not affect the others. */
async function archiveAccount(
  app: App,
  account: Archiving,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { accountId, entries, sizes } = account;
  // Most accounts never had as many.
  if (entries < Math.min(sizes.least.entries, sizes.least.jobs)) return 0;
  try {
    return await archiveRows(app, account, signal);
  } catch (error) {
    const goesForAll = error instanceof PassLost || error instanceof ObjectStoreError || isPassing(error);
    if (goesForAll) throw error;
    app.log.error({ err: error, account_id: accountId }, "could not archive the old rows of an account");
    return 0;
  }
}

/** Jobs come first: until then, everything that their entries refer to is still live. */
async function archiveRows(
  app: App,
  { accountId, before, sizes: { least, most }, beat }: Archiving,
  signal: AbortSignal | undefined,
): Promise<number> {
  const cut = (of: keyof Numbers): Cut => ({ accountId, before, least: least[of], most: most[of] });
  const hasOldJobs = await beginArchivingJobs(app, cut("jobs"));
  let segments = 0;
  while (hasOldJobs && !signal?.aborted && (await archiveJobs(app, cut("jobs")))) {
    segments += 1;
    await beat();
  }
  while (hasOldJobs && !signal?.aborted && (await archiveWorkflows(app, cut("jobs")))) {
    segments += 1;
    await beat();
  }
  while (!signal?.aborted && (await archiveEntries(app, cut("entries")))) {
    segments += 1;
    await beat();
  }
  return segments;
}
