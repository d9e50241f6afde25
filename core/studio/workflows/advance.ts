// Moves a workflow on: steps that have what they need enter the queue, steps that are not wanted any more are cancelled, and when all have
// ended, so does the workflow. Anyone may call it, however often: what is done already is not done again.
import { AppError } from "../../../proto/codes.ts";
import { countTries } from "../../base/mongo/count-tries.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts, type LoadedAccount, type LoadedAccounts } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { isCancellable } from "../jobs/cancel-rules.ts";
import { stoppingOf } from "../jobs/resource.ts";
import {
  QUEUE_DEADLINE_MS,
  type Unmade,
  changedJob,
  isBlocked,
  readyJob,
  releaseJob,
} from "../jobs/rules.ts";
import { readSteps } from "../jobs/steps.ts";
import type { InputDoc, JobDoc, JobErrorDoc } from "../jobs/store.ts";
import { JobWrites } from "../jobs/write.ts";
import { resolveOutputs } from "../uploads/resolve.ts";
import { neededUntil } from "../uploads/rules.ts";
import { queueDeliveries } from "../webhooks/queue.ts";
import { endOf, movesOf, type Standing, type StepInfo, type StepMove } from "./rules.ts";
import { type StepDoc, type WorkflowChange, type WorkflowDoc, findWorkflow, saveWorkflow } from "./store.ts";

export type WorkflowRef = { readonly accountId: string; readonly workflowId: string };

/** What the earlier steps have made for a step, by its position. */
type Gifts = ReadonlyMap<number, Bound>;

/** What was done to the steps, to be announced after the commit. */
export type Moved = {
  readonly changed: readonly string[];
  readonly cancelRequested: readonly string[];
  readonly workflow: WorkflowDoc;
};

/** Does what there is to do now, in one transaction. If that is nothing, it only reads. */
export async function advanceWorkflow(app: App, ref: WorkflowRef): Promise<void> {
  const workflow = await findWorkflow(app.mongo.db, ref);
  if (workflow?.state !== "running") return;
  const jobs = await readSteps(app, ref.accountId, jobIdsOf(workflow));
  const facts = factsOf(app, workflow, jobs);
  const moves = movesOf(facts, isCancelling(workflow));
  if (moves.length === 0 && endOf(facts) === undefined) return;
  // This is outside the transaction: it looks into the files, and marks them as needed.
  const gifts = new Map<number, Bound>();
  for (const { place, move } of moves) {
    const step = workflow.steps[place];
    if (move === "ready" && step) gifts.set(place, await bindStep(app, workflow, step, jobs));
  }
  const work = async (tx: TxContext): Promise<Moved | undefined> => {
    const now = await findWorkflow(app.mongo.db, ref, tx);
    return now?.state === "running" ? moveOn(app, now, { gifts }, tx) : undefined;
  };
  const moved = await app.mongo.contention.run(() =>
    inTx(app, work, { onTries: countTries(app.metrics, "advance") }),
  );
  if (moved) announce(app, moved);
}

export function jobIdsOf({ steps }: WorkflowDoc): string[] {
  return steps.map(({ job_id }) => job_id);
}

/** Does what there is to do for a running workflow as this transaction has read it, with `set` written along with it. */
export async function moveOn(
  app: App,
  workflow: WorkflowDoc,
  { gifts, set = {} }: { gifts: Gifts; set?: WorkflowChange },
  tx: TxContext,
): Promise<Moved | undefined> {
  const { account_id: accountId } = workflow;
  const jobs = await readSteps(app, accountId, jobIdsOf(workflow), tx);
  const accounts = await loadAccounts(app, [accountId], tx);
  const next = { ...workflow, ...set };
  const moving = new Moving(next, { jobs, accounts, gifts, tx });
  // A step that cannot be made is a step that fails, and what follows from that is decided again.
  const isFailing = ({ place, move }: StepMove) => move === "ready" && "error" in (gifts.get(place) ?? {});
  const first = movesOf(factsOf(app, next, jobs), isCancelling(next));
  for (const move of first.filter(isFailing)) moving.move(move);
  const facts = factsOf(app, next, moving.jobs);
  for (const move of movesOf(facts, isCancelling(next))) moving.move(move);
  const end = endOf(factsOf(app, next, moving.jobs));
  if (moving.changed.length === 0 && !end && Object.keys(set).length === 0) return undefined;
  const ended: WorkflowChange = end ? { state: end, ended_at: tx.now } : {};
  await saveWorkflow(app.mongo.db, workflow, { ...set, ...ended }, tx);
  if (end && workflow.callback_url !== null) {
    const { _id: workflowId, callback_url: url, trace } = workflow;
    const event = `workflow.${end}` as const;
    await queueDeliveries(app, tx, [{ accountId, workflowId, url, event, at: tx.now, trace }]);
  }
  await moving.writes.commit(app);
  if (end && accounts.get(accountId)?.account.events_on)
    await recordEvents(app, tx, [
      { accountId, event: `workflow.${end}`, data: { workflow_id: workflow._id } },
    ]);
  return {
    changed: moving.changed,
    cancelRequested: moving.cancelRequested,
    workflow: { ...next, ...ended },
  };
}

/** The state of each step. */
export function factsOf(app: App, { steps }: WorkflowDoc, jobs: ReadonlyMap<string, JobDoc>): StepInfo[] {
  return steps.map(({ job_id: jobId, needs }) => {
    const job = jobs.get(jobId);
    if (!job) throw new Error(`job ${jobId} of a running workflow does not exist`);
    return { standing: standingOf(app, job), needs };
  });
}

function standingOf(app: App, job: JobDoc): Standing {
  if (job.state === "reserved") return isBlocked(job) ? "blocked" : "waiting";
  if (job.state !== "running") return job.state;
  if (job.cancel_requested_at) return "stopping";
  return isCancellable(job, stoppingOf(app, job)) ? "running" : "fixed";
}

function isCancelling({ cancel_requested_at: cancelRequestedAt }: WorkflowDoc): boolean {
  return cancelRequestedAt !== undefined;
}

type Read = {
  readonly jobs: ReadonlyMap<string, JobDoc>;
  readonly accounts: LoadedAccounts;
  readonly gifts: Gifts;
  readonly tx: TxContext;
};

/** The steps of one workflow in one transaction. */
class Moving {
  readonly writes: JobWrites;
  readonly jobs: Map<string, JobDoc>;
  readonly changed: string[] = [];
  readonly cancelRequested: string[] = [];
  readonly #workflow: WorkflowDoc;
  readonly #read: Read;

  constructor(workflow: WorkflowDoc, read: Read) {
    this.#workflow = workflow;
    this.#read = read;
    this.writes = new JobWrites(read.tx);
    this.jobs = new Map(read.jobs);
  }

  move({ place, move }: StepMove): void {
    const job = this.jobs.get(this.#workflow.steps[place]?.job_id ?? "");
    if (!job) return;
    const { now: at } = this.#read.tx;
    switch (move) {
      case "ready":
        return this.#ready(job, this.#read.gifts.get(place));
      case "release":
        return this.#release(job, { state: "cancelled" });
      case "stop":
        this.writes.requestCancel(job);
        this.jobs.set(job._id, { ...job, cancel_requested_at: at });
        this.changed.push(job._id);
        this.cancelRequested.push(job._id);
    }
  }

  /** Without an input, the steps that it needs have completed only since the search: the next look finds it. */
  #ready(job: JobDoc, gift: Bound | undefined): void {
    if (!gift) return;
    if ("error" in gift) {
      this.#release(job, { state: "failed", error: gift.error });
      return;
    }
    const { change, account } = readyJob(this.#loaded(), job, gift, this.#read.tx.now);
    this.writes.account(account);
    this.writes.change(change);
    this.#changed(job, change);
  }

  #release(job: JobDoc, end: Unmade): void {
    const step = releaseJob(this.#loaded(), job, end, this.#read.tx.now);
    this.writes.step(step);
    this.#changed(job, step.change);
  }

  #changed(job: JobDoc, change: Parameters<typeof changedJob>[1]): void {
    this.jobs.set(job._id, changedJob(job, change));
    this.changed.push(job._id);
  }

  #loaded(): LoadedAccount {
    const { _id, account_id: accountId } = this.#workflow;
    const loaded = this.#read.accounts.get(accountId);
    if (!loaded) throw new Error(`account ${accountId} of workflow ${_id} does not exist`);
    return loaded;
  }
}

/** Tells this process what was committed. */
export function announce(
  { signals }: Pick<App, "signals">,
  { changed, cancelRequested, workflow }: Moved,
): void {
  signals.emit("changed", [workflow._id, ...changed]);
  if (changed.length > 0) signals.emit("claimable");
  for (const jobId of cancelRequested) signals.emit("cancel-requested", jobId);
  if (cancelRequested.length > 0) signals.emit("callable");
  signals.emit("deliverable");
}

/** What a step's job is given, or why it cannot be made. */
type Bound =
  | { readonly params: JobDoc["params"]; readonly inputs: readonly InputDoc[] }
  | { readonly error: JobErrorDoc };

/** `jobs` are those of the steps, by their ids; everything that the step needs has completed. Safe to repeat. */
async function bindStep(
  app: App,
  workflow: WorkflowDoc,
  step: StepDoc,
  jobs: ReadonlyMap<string, JobDoc>,
): Promise<Bound> {
  const job = jobs.get(step.job_id);
  if (!job) throw new Error(`job ${step.job_id} of workflow ${workflow._id} does not exist`);
  const { params, inputs = [] } = job;
  if (!step.inputs) return { params, inputs };
  const wanted = step.inputs.map(({ param, step: from, output, kinds }) => {
    const made = jobs.get(workflow.steps[from]?.job_id ?? "")?.outputs[output];
    return { param, value: made && !made.deleted_at ? made.output_id : undefined, kinds };
  });
  const there = wanted.flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, value }]));
  if (there.length < wanted.length) return { error: GONE };
  const until = neededUntil(app.clock.now(), { queueMs: QUEUE_DEADLINE_MS, runMs: job.run_timeout_ms });
  try {
    const files = await resolveOutputs(app, there, { accountId: workflow.account_id, until });
    return {
      params: { ...params, ...Object.fromEntries(there.map(({ param, value }) => [param, value])) },
      inputs: [...inputs, ...[...files].map(([param, file]) => ({ param, ...file }))],
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "upload_not_found") return { error: GONE };
    if (error.code === "unsupported_input")
      return { error: { code: "input_unavailable", message: error.message } };
    throw error;
  }
}

const GONE: JobErrorDoc = {
  code: "input_unavailable",
  message: "An output of another step, which this step needs, does not exist or was deleted.",
};
