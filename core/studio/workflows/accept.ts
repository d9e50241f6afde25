// Accepts a workflow: the Idempotency-Key, the workflow, all its jobs and the hold of each, in one transaction: all of it or nothing.
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import type { WorkflowRequest } from "../../../proto/resources/workflow.ts";
import { type Span, tracedStep } from "../../../runtime/log/tracing.ts";
import { countTries } from "../../base/mongo/count-tries.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { authenticate, identifyCallers } from "../../identity/accounts/authenticate.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import { findAnswers } from "../../identity/approvals/answers.ts";
import type { App } from "../../kernel/app.ts";
import { type AcceptRequest, idempotencyId } from "../jobs/check-request.ts";
import { askedJob, askingOf, hasStarted, refuseUnconfirmed, takeStarted } from "../jobs/confirm.ts";
import { orDrop } from "../jobs/inputs.ts";
import { newJob } from "../jobs/new-job.ts";
import { refuseHold } from "../jobs/refuse-hold.ts";
import { acceptJob } from "../jobs/rules.ts";
import { digestOf } from "../jobs/same-request.ts";
import { earlierRequest } from "../jobs/steps.ts";
import type { InputDoc, JobDoc } from "../jobs/store.ts";
import { JobWrites } from "../jobs/write.ts";
import type { UploadReceiver } from "../uploads/receive.ts";
import { type CheckedWorkflow, checkWorkflow } from "./check-workflow.ts";
import { findInputs, wantedOutside } from "./find-inputs.ts";
import { LOOK_MS } from "./rules.ts";
import { findWorkflow, insertWorkflow, type WorkflowDoc } from "./store.ts";

export type WorkflowAsked = {
  readonly caller: Caller;
  readonly request: WorkflowRequest;
  readonly idempotencyKey: string | null;
} & Pick<AcceptRequest, "confirmedId" | "startsBy">;

export type AcceptedWorkflow = {
  readonly workflow: WorkflowDoc;
  /** True if an earlier request made it, and nothing was written now. */
  readonly replayed: boolean;
};

/**
 * Refuses with what a single job is refused with: an error about a step names it in `issues`. Whatever is refused holds nothing.
 */
export async function acceptWorkflow(
  app: App,
  receiver: UploadReceiver,
  asked: WorkflowAsked,
  signal: AbortSignal,
): Promise<AcceptedWorkflow> {
  return tracedStep(app.tracing, "accept workflow", {}, async (span) => {
    const accepted = await withFiles(app, receiver, asked, signal, (files) =>
      commit(app, asked, files, { span, signal }),
    );
    span?.set({
      "atelier.workflow.id": accepted.workflow._id,
      "atelier.workflow.replayed": accepted.replayed,
    });
    if (!accepted.replayed) app.signals.emit("claimable");
    return accepted;
  });
}

type Files = readonly (readonly InputDoc[])[];

/** With the files that its steps name, as a single job: looked for only where accepting will not answer something else anyway. */
async function withFiles(
  app: App,
  receiver: UploadReceiver,
  asked: WorkflowAsked,
  signal: AbortSignal,
  accept: (files: Files) => Promise<AcceptedWorkflow>,
): Promise<AcceptedWorkflow> {
  const { caller, request, idempotencyKey } = asked;
  const identity = await authenticate(app, caller, "write");
  const accountId = identity.account._id;
  const key = keyOf(idempotencyKey, identity);
  if (key && (await earlierRequest(app, key))) return accept([]);
  if (
    await hasStarted(
      app,
      askingOf(asked, identity, () => hashWorkflow(request)),
    )
  )
    return accept([]);
  const checked = checkWorkflow(app, request, await app.models());
  if (checked.steps.every((step) => wantedOutside(step).length === 0)) return accept([]);
  const names = request.steps.map(({ id }) => id);
  const { files, drop } = await findInputs(app, receiver, checked, { accountId, names, signal });
  return orDrop(drop, () => accept(files));
}

function keyOf(
  idempotencyKey: string | null,
  identity: Identity,
): { id: string; accountId: string } | undefined {
  const id = idempotencyId({ idempotencyKey }, identity);
  return id === undefined ? undefined : { id, accountId: identity.account._id };
}

/** What is drawn once, however often the transaction is tried. */
type Drawn = {
  readonly workflowId: string;
  readonly steps: readonly { readonly jobId: string; readonly drawnSeed: number }[];
  readonly requestSha256: string;
};

async function commit(
  app: App,
  asked: WorkflowAsked,
  files: Files,
  { span, signal }: { span: Span | undefined; signal: AbortSignal },
): Promise<AcceptedWorkflow> {
  const drawn: Drawn = {
    workflowId: app.newId("wfl"),
    steps: asked.request.steps.map(() => ({ jobId: app.newId("job"), drawnSeed: app.drawSeed() })),
    requestSha256: hashWorkflow(asked.request),
  };
  const work = async (tx: TxContext): Promise<AcceptedWorkflow> => {
    const at = tx.now;
    const [[identity], models, pause] = await Promise.all([
      identifyCallers(app, [asked.caller], "write", tx),
      app.models(),
      app.queuePause(),
    ]);
    if (!identity) throw new AppError("missing_key");
    if (identity instanceof AppError) throw identity;
    const key = keyOf(asked.idempotencyKey, identity);
    const earlier = key && (await earlierRequest(app, key, tx));
    if (key && earlier) return replay(app, { ...earlier, sha256: drawn.requestSha256 }, tx);
    const asking = askingOf(asked, identity, () => drawn.requestSha256);
    const answers = await findAnswers(app, [asking], tx);
    const started = takeStarted(answers, asking);
    const writes = new JobWrites(tx);
    if (started !== undefined) {
      const workflow = await existing(app, { accountId: identity.account._id, workflowId: started }, tx);
      remember(writes, key, workflow, drawn);
      await writes.commit(app);
      await answers.commit();
      return { workflow, replayed: true };
    }
    const checked = checkWorkflow(app, asked.request, models);
    const { workflow, jobs } = toDocuments(asked, { identity, checked, drawn, files, span, at });
    const loaded = writes.current(identity);
    const { credits } = workflow;
    const wanted = { credits, jobs: jobs.length, maxCredits: asked.request.max_credits };
    const unconfirmed = () => {
      if (!asking) return undefined;
      const makes = { workflow_id: workflow._id };
      const terms = { credits, jobs: askedJobs(asked.request, checked), makes };
      return refuseUnconfirmed(answers, asking, asked, terms);
    };
    const refusal = refuseHold(app, writes, { ...loaded, wanted, pause, unconfirmed });
    if (refusal) throw refusal;
    for (const job of jobs) {
      const accepted = acceptJob(writes.current(loaded), job, at);
      writes.insert(accepted.account, accepted.job, [accepted.entry]);
    }
    writes.spending.spend(identity, credits);
    remember(writes, key, workflow, drawn);
    await insertWorkflow(app.mongo.db, workflow, tx);
    await writes.commit(app);
    await answers.commit();
    return { workflow, replayed: false };
  };
  return app.mongo.contention.run(() =>
    inTx(app, work, {
      beforeCommit: () => {
        if (signal.aborted) throw new AppError("deadline_exceeded");
      },
      onTries: countTries(app.metrics, "accept"),
      onLateCommit: () => app.signals.emit("claimable"),
    }),
  );
}

/** All of it as the person is shown it, who says yes or no to the whole. */
function askedJobs({ callback_url: url }: WorkflowRequest, { steps }: CheckedWorkflow): AskedJob[] {
  const callback_url = url ?? null;
  return steps.map(({ request, checked }) => ({ ...askedJob(request, checked), callback_url }));
}

/** Two requests have the same digest exactly if they ask for the same; what is empty counts as left out. */
function hashWorkflow({ steps, ...rest }: WorkflowRequest): string {
  return digestOf(["workflow", withoutNothing(rest), steps.map(withoutNothing)]);
}

function withoutNothing(fields: object): object {
  const said = Object.entries(fields).filter(
    ([, value]) =>
      value !== undefined &&
      !(typeof value === "object" && value !== null && Object.keys(value).length === 0),
  );
  return Object.fromEntries(said);
}

/** The answer to the request that the key was used for first; idempotency_mismatch for any other. */
async function replay(
  app: App,
  {
    account_id: accountId,
    workflow_id: workflowId,
    request_sha256: before,
    sha256: now,
  }: { account_id: string; workflow_id?: string; request_sha256: string; sha256: string },
  tx: TxContext,
): Promise<AcceptedWorkflow> {
  if (workflowId === undefined || before !== now) throw new AppError("idempotency_mismatch");
  return { workflow: await existing(app, { accountId, workflowId }, tx), replayed: true };
}

/** The workflow of an Idempotency-Key or an approval. */
async function existing(
  app: App,
  which: { accountId: string; workflowId: string },
  tx: TxContext,
): Promise<WorkflowDoc> {
  const workflow = await findWorkflow(app.mongo.db, which, tx);
  if (!workflow) throw new Error(`workflow ${which.workflowId} of an earlier request does not exist`);
  return workflow;
}

/** Stores the request's Idempotency-Key, if it has one. */
function remember(
  writes: JobWrites,
  key: { readonly id: string; readonly accountId: string } | undefined,
  { _id: workflow_id, steps }: WorkflowDoc,
  { requestSha256: request_sha256 }: Drawn,
): void {
  if (!key) return;
  const job_id = steps[0]?.job_id ?? "";
  writes.remember({ _id: key.id, account_id: key.accountId, job_id, workflow_id, request_sha256 });
}

type Parts = {
  readonly identity: Identity;
  readonly checked: CheckedWorkflow;
  readonly drawn: Drawn;
  readonly files: Files;
  readonly span: Span | undefined;
  readonly at: Date;
};

/** Throws service_unavailable where a model became another since the files of a step were looked up. */
function toDocuments(
  { caller, request }: WorkflowAsked,
  { identity, checked, drawn, files, span, at }: Parts,
): { workflow: WorkflowDoc; jobs: JobDoc[] } {
  const { workflowId } = drawn;
  const jobs = checked.steps.map((step, place): JobDoc => {
    const own = drawn.steps[place];
    const given = files[place] ?? [];
    if (!own || wantedOutside(step).some(({ param }) => !given.some((input) => input.param === param)))
      throw new AppError("service_unavailable", {
        message: "A model was changed at this moment.",
        retryAfterSeconds: 1,
      });
    return newJob(
      {
        caller,
        request: step.request,
        ...own,
        ...(given.length > 0 && { inputs: given }),
        span,
        stepOf: { workflowId, waitsForOthers: step.needs.length > 0 },
      },
      identity,
      step.checked,
      at,
    );
  });
  const workflow: WorkflowDoc = {
    _id: workflowId,
    account_id: identity.account._id,
    key_id: identity.key?.key_id ?? null,
    source: caller.kind === "none" ? "system" : caller.source,
    steps: checked.steps.map(({ needs, inputs, checked: { credits } }, place) => ({
      id: request.steps[place]?.id ?? "",
      job_id: jobs[place]?._id ?? "",
      needs,
      ...(inputs.length > 0 && { inputs }),
      credits,
    })),
    credits: checked.credits,
    estimated_seconds: checked.estimatedSeconds,
    callback_url: request.callback_url ?? null,
    callback_on_steps: request.callback_on_steps ?? false,
    metadata: request.metadata ?? {},
    state: "running",
    version: 1,
    created_at: at,
    ended_at: null,
    look_at: new Date(at.getTime() + LOOK_MS),
    ...(span?.isSampled && { trace: span.traceparent }),
  };
  return { workflow, jobs };
}
