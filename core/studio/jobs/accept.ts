// Accepts generation requests: idempotency, key and plan, price, hold, job and first event in one transaction for a whole batch.
import { AppError } from "../../../proto/codes.ts";
import { countTries } from "../../base/mongo/count-tries.ts";
import { type Batch, fulfilled, rejected } from "../../base/mongo/group-commit.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { identifyCallers } from "../../identity/accounts/authenticate.ts";
import type { LoadedAccount } from "../../identity/accounts/load.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import { findAnswers } from "../../identity/approvals/answers.ts";
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { checkParams } from "../models/params.ts";
import { type AcceptRequest, checkRequest } from "./check-request.ts";
import { askedJob, askingOf, refuseUnconfirmed, takeStarted } from "./confirm.ts";
import { confirmRefusals, type Earlier, findEarlier, type KeysOfBatch } from "./earlier.ts";
import { findMissingInput } from "./inputs.ts";
import { type Claim, type JobsApp, notesCalls, tellChanged } from "./local-dispatch.ts";
import { type Drawn, newJob } from "./new-job.ts";
import { refuseHold } from "./refuse-hold.ts";
import { type AcceptStep, acceptJob, changedJob, claimJob } from "./rules.ts";
import { differences, hashRequest } from "./same-request.ts";
import { findJobs } from "./store-changes.ts";
import type { JobDoc } from "./store.ts";
import { JobWrites } from "./write.ts";

export type AcceptedJob = {
  readonly job: JobDoc;
  /** True if an earlier request made the job, and nothing was written now. */ readonly replayed: boolean;
};

type Prepared = AcceptRequest & Drawn & { readonly requestSha256: string };

/**
 * Decides every request separately, in order, and commits all accepted requests together. A refusal is its entry's AppError: missing_key,
 * invalid_key, insufficient_scope, plan_excludes_api, account_suspended, idempotency_mismatch, model_not_available, modality_mismatch,
 * invalid_request, callback_url_refused, spend_limit_reached, queue_full, insufficient_credits, confirmation_required,
 * confirmation_declined, not_found for an approval that cannot start its request, or service_unavailable while the database's disk is
 * short of space or an operator has paused the queue for new jobs too.
 */
export async function acceptJobs(
  app: JobsApp,
  requests: readonly AcceptRequest[],
  batch: Batch = ALL_WANTED,
): Promise<PromiseSettledResult<AcceptedJob>[]> {
  const localDispatch = app.localDispatch.worker;
  const places = localDispatch?.take(requests.length) ?? 0;
  let claims: readonly Claim[] = [];
  try {
    const committed = await commitAccept(app, requests, {
      batch,
      places: localDispatch && places > 0 ? { ...localDispatch, places } : undefined,
      onLateCommit: (late) => {
        app.log.warn(
          { jobs: countNew(late) },
          "jobs were accepted after their callers had been told that it took too long",
        );
        announce(app, late);
        localDispatch?.start(0, late.claims);
      },
    });
    announce(app, committed);
    claims = committed.claims;
    return committed.results;
  } finally {
    localDispatch?.start(places, claims);
  }
}

const ALL_WANTED: Batch = { isWanted: () => true, maxConflicts: Number.POSITIVE_INFINITY };

type Committed = { results: PromiseSettledResult<AcceptedJob>[]; claims: readonly Claim[] };

type AcceptOptions = {
  readonly batch: Batch;
  readonly places: FreeSlots | undefined;
  readonly onLateCommit: (late: Committed) => void;
};

async function commitAccept(
  app: App,
  requests: readonly AcceptRequest[],
  { batch, places, onLateCommit }: AcceptOptions,
): Promise<Committed> {
  const prepared = requests.map((one) => prepare(app, one));
  const callers = requests.map(({ caller }) => caller);
  const work = async (tx: TxContext): Promise<Committed> => {
    const at = tx.now;
    const [identities, models, pause] = await Promise.all([
      identifyCallers(app, callers, "write", tx),
      app.models(),
      app.queuePause(),
    ]);
    const keys = await findEarlier(app, requests, identities, tx);
    const { askings, answers, started } = await findApproved(app, prepared, identities, tx);
    const writes = new JobWrites(tx);
    const starter = pause || !places ? undefined : createStarter(app, places, at);

    const results: PromiseSettledResult<AcceptedJob>[] = prepared.map((one, i) =>
      // Nothing has been written for this request yet, and what follows takes a moment: later it cannot be left out.
      batch.isWanted(i) ? decide(one, i) : rejected(new AppError("deadline_exceeded")),
    );
    confirmRefusals(keys, results);
    await writes.commit(app);
    await answers.commit();
    return { results, claims: starter?.claims ?? [] };

    function decide(one: Prepared, i: number): PromiseSettledResult<AcceptedJob> {
      const [identity, asking] = [identities[i], askings[i]];
      if (!identity || identity instanceof AppError) return rejected(identity);
      const keyId = keys.ids[i];
      const before = keyId === undefined ? undefined : keys.made.get(keyId);
      if (before) return replay(before, one, models);
      const approved = started.get(takeStarted(answers, asking) ?? "");
      if (approved) {
        remember(writes, keys, { keyId, one, job: approved });
        return fulfilled({ job: approved, replayed: true });
      }
      const checked = checkRequest(app, one.request, models);
      if (checked instanceof AppError) return rejected(checked);
      if (findMissingInput(checked, one.inputs) !== undefined) return rejected(changedUnderneath());
      const { credits } = checked;
      const loaded = writes.current(identity);
      const wanted = { credits, jobs: 1, maxCredits: one.request.max_credits };
      const unconfirmed = () => {
        if (!asking) return undefined;
        const terms = { credits, jobs: [askedJob(one.request, checked)], makes: { job_id: one.jobId } };
        return refuseUnconfirmed(answers, asking, one, terms);
      };
      const refusal = refuseHold(app, writes, { ...loaded, wanted, pause, unconfirmed });
      if (refusal) return rejected(refusal);
      const accepted = acceptJob(loaded, newJob(one, identity, checked, at), at);
      const { job } = accepted;
      const claimed = starter?.start({ ...loaded, account: accepted.account }, job);
      const last = claimed ?? accepted;
      writes.spending.spend(identity, credits);
      writes.insert(last.account, last.job, claimed ? [accepted.entry, claimed.entry] : [accepted.entry]);
      remember(writes, keys, { keyId, one, job });
      if (one.startsBy !== undefined) started.set(job._id, job);
      return fulfilled({ job, replayed: false });
    }
  };
  return inTx(app, work, {
    maxConflicts: batch.maxConflicts,
    onCommitted: batch.onCommitted,
    beforeCommit: () => {
      if (!requests.some((_, i) => batch.isWanted(i))) throw new AppError("deadline_exceeded");
    },
    onTries: countTries(app.metrics, "accept"),
    onLateCommit,
  });
}

/** The approvals of these requests, and the jobs that they have started. */
async function findApproved(
  app: App,
  prepared: readonly Prepared[],
  identities: readonly (Identity | AppError)[],
  tx: TxContext,
) {
  const askings = prepared.map((one, i) =>
    askingOf(one, identities[i], () => one.requestSha256 || hashRequest(one.request)),
  );
  const answers = await findAnswers(app, askings, tx);
  const ids = answers.started.map(({ accountId, id: jobId }) => ({ accountId, jobId }));
  return { askings, answers, started: await findJobs(app.mongo.db, ids, tx) };
}

/** Stores the request's Idempotency-Key, if it has one. A second request with it in the same batch is a replay too. */
function remember(
  writes: JobWrites,
  { made }: KeysOfBatch,
  { keyId, one: { requestSha256 }, job }: { keyId: string | undefined; one: Prepared; job: JobDoc },
): void {
  if (keyId === undefined) return;
  const { _id: job_id, account_id } = job;
  writes.remember({ _id: keyId, account_id, job_id, request_sha256: requestSha256 });
  made.set(keyId, { job, requestSha256 });
}

/** Drawn once, however often the transaction is tried. */
function prepare(app: App, one: AcceptRequest): Prepared {
  const requestSha256 = one.idempotencyKey === null ? "" : hashRequest(one.request);
  return { ...one, jobId: app.newId("job"), drawnSeed: app.drawSeed(), requestSha256 };
}

/** The model has changed since its inputs were looked up. */
function changedUnderneath(): AppError {
  return new AppError("service_unavailable", {
    message: "The model was changed at this moment.",
    retryAfterSeconds: 1,
  });
}

/** Tells this process what was committed. */
function announce(app: App, committed: Committed): void {
  const { claims } = committed;
  tellChanged(app, claims);
  if (countNew(committed) > claims.length) app.signals.emit("claimable");
}

function countNew({ results }: Committed): number {
  return results.filter((result) => result.status === "fulfilled" && !result.value.replayed).length;
}

function replay(
  { job, requestSha256 }: Earlier,
  again: Prepared,
  models: ReadonlyMap<string, ModelDoc>,
): PromiseSettledResult<AcceptedJob> {
  if (requestSha256 === again.requestSha256) return fulfilled({ job, replayed: true });
  const model = models.get(job.model_slug);
  const checked = model && checkParams(model, again.request.params ?? {});
  const filled = checked && !Array.isArray(checked) ? checked.params : undefined;
  return rejected(new AppError("idempotency_mismatch", { issues: differences(job, again.request, filled) }));
}

/** A worker's slots for jobs that can start immediately. */
type FreeSlots = { readonly worker: string; readonly leaseMs: number; readonly places: number };

type Starter = {
  /** Claims a job that was just accepted, if its account has a free slot and no older job waits. */
  start(loaded: LoadedAccount, job: JobDoc): AcceptStep | undefined;
  readonly claims: readonly Claim[];
};

/** Claims jobs in the transaction that accepts them, for the worker of the same process. */
function createStarter(app: App, { worker, leaseMs, places }: FreeSlots, at: Date): Starter {
  const lease = { worker, until: new Date(at.getTime() + leaseMs) };
  const claims: Claim[] = [];
  return {
    claims,
    start: (loaded, job) => {
      const { account } = loaded;
      // It is alone in its queue, and the account has a slot for it.
      if (claims.length >= places || account.waiting > 1 || account.turn === null) return undefined;
      const { account: left, change, entry } = claimJob(loaded, job, lease, at, notesCalls(app, job));
      const started = changedJob(job, change);
      const { created_at: startedAt, hash: debitHash } = entry;
      const { epoch, version } = started;
      claims.push({ job, worker, epoch, version, startedAt, debitHash, lastEventAt: startedAt });
      return { account: left, job: started, entry };
    },
  };
}
