// Finished jobs in bulk, with valid ledgers, as if the service had run for long.
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import type { LoadedAccount } from "../../core/identity/accounts/load.ts";
import { listPlans } from "../../core/identity/accounts/plans.ts";
import { accounts } from "../../core/identity/accounts/store.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { postEntry } from "../../core/identity/credits/rules.ts";
import { type LedgerDoc, ledger } from "../../core/identity/credits/store.ts";
import type { App } from "../../core/kernel/app.ts";
import { type Checked, checkRequest } from "../../core/studio/jobs/check-request.ts";
import { newJob } from "../../core/studio/jobs/new-job.ts";
import { acceptJob, changedJob, claimJob, completeJob } from "../../core/studio/jobs/rules.ts";
import { type JobDoc, jobs } from "../../core/studio/jobs/store.ts";
import type { Caller } from "../../proto/caller.ts";
import { AppError } from "../../proto/codes.ts";
import type { JobRequest } from "../../proto/resources/job.ts";

const ACCOUNTS = 100;
const BATCH = 2_000;

/** Of the model that measurements add. */
export const INSTANT_JOB: JobRequest = {
  modality: "image",
  model_slug: "instant",
  prompt: "a lighthouse on a cliff at dusk, long exposure",
};

const UNSURE = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
const INSERTED_PER_BATCH = 5_000;
const CREDITS = 1_000_000;

/** Spread over 100 separate accounts. Written without the use cases, by the same rules. */
export async function insertFinishedJobs(app: App, count: number): Promise<void> {
  const plan = (await listPlans(app)).find(({ _id }) => _id === "studio");
  if (!plan) throw new Error("no studio plan");
  const checked = checkRequest(app, INSTANT_JOB, await app.models());
  if (checked instanceof AppError) throw checked;
  for (let n = 0; n < ACCOUNTS; n++) {
    const { _id } = await createAccount(app, {
      email: `history-${n}@example.com`,
      name: "History",
      plan: "studio",
    });
    await grantCredits(app, { accountId: _id, amount: count, kind: "grant", memo: null, source: "system" });
    const account = await accounts(app.mongo.db).findOne({ _id });
    if (!account) throw new Error("the account is not there");
    let loaded: LoadedAccount = { account, plan };
    for (let left = Math.ceil(count / ACCOUNTS); left > 0; left -= BATCH) {
      const batch = Array.from({ length: Math.min(left, BATCH) }, () => {
        const made = finishedJob(app, loaded, checked);
        loaded = { account: made.account, plan };
        return made;
      });
      await Promise.all([
        jobs(app.mongo.db).insertMany(
          batch.map(({ job }) => job),
          UNSURE,
        ),
        ledger(app.mongo.db).insertMany(
          batch.flatMap(({ entries }) => entries),
          UNSURE,
        ),
      ]);
    }
    const { balance, held, ledger_seq, ledger_hash } = loaded.account;
    await accounts(app.mongo.db).updateOne({ _id }, { $set: { balance, held, ledger_seq, ledger_hash } });
  }
}

function finishedJob(
  app: App,
  loaded: LoadedAccount,
  checked: Checked,
): { account: LoadedAccount["account"]; job: JobDoc; entries: LedgerDoc[] } {
  const at = app.clock.now();
  const caller = { kind: "account", accountId: loaded.account._id, source: "app" } as const;
  const wanted = { caller, request: INSTANT_JOB, jobId: app.newId("job"), drawnSeed: 0 };
  const job = newJob(wanted, { ...loaded, key: null, scope: "write" }, checked, at);
  const accepted = acceptJob(loaded, job, at);
  const claimed = claimJob(
    { ...loaded, account: accepted.account },
    accepted.job,
    { worker: "history", until: at },
    at,
  );
  const running = changedJob(accepted.job, claimed.change);
  const completed = completeJob(
    running,
    { worker: "history", epoch: 1, lastEventAt: at },
    { outputs: [] },
    at,
  );
  return {
    // Its slot is free again.
    account: { ...claimed.account, running: loaded.account.running },
    job: changedJob(running, completed),
    entries: [accepted.entry, claimed.entry],
  };
}

/** They have no keys: a service acts for their owners. */
export async function insertAccounts(app: App, count: number): Promise<Caller[]> {
  const { db } = app.mongo;
  const { _id: modelId } = await createAccount(app, {
    email: "one@example.com",
    name: "Bench",
    plan: "studio",
  });
  const model = await accounts(db).findOne({ _id: modelId });
  if (!model) throw new Error("the account is not there");
  const callers: Caller[] = [];
  for (let n = 0; n < count; n += INSERTED_PER_BATCH) {
    const made = Array.from({ length: Math.min(INSERTED_PER_BATCH, count - n) }, (_, i) => {
      const account = { ...model, _id: app.newId("acc"), email: `many-${n + i}@example.com` };
      const given = { credits: CREDITS, of: { entryId: app.newId("led") }, at: app.clock.now() };
      return postEntry(account, { kind: "grant", source: "system", keyId: null, memo: null, ...given });
    });
    const [heads, entries] = [made.map(({ head }) => head), made.map(({ entry }) => entry)];
    await accounts(db).insertMany(heads, { ordered: false });
    await ledger(db).insertMany(entries, { ordered: false });
    for (const { head } of made) callers.push({ kind: "account", accountId: head._id, source: "app" });
  }
  return callers;
}
