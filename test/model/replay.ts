// Does on the core what a trace of the model says, and compares what is stored after each step.
import { inTx } from "../../core/base/mongo/in-tx.ts";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { accounts } from "../../core/identity/accounts/store.ts";
import { ledger } from "../../core/identity/credits/store.ts";
import { acceptJobs } from "../../core/studio/jobs/accept.ts";
import { actOnJobs } from "../../core/studio/jobs/act-on-many.ts";
import { createCancelQueue } from "../../core/studio/jobs/cancel.ts";
import type { Claim, JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { expireWaitingJobs } from "../../core/studio/jobs/release.ts";
import { isBlocked } from "../../core/studio/jobs/rules.ts";
import { type JobDoc, jobs } from "../../core/studio/jobs/store.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { finalizeJobs, LostLease, type RunOutcome } from "../../core/studio/runs/finalize.ts";
import { rescueJobs } from "../../core/studio/runs/rescue.ts";
import { extendLeases } from "../../core/studio/runs/store-leases.ts";
import { createUploadReceiver } from "../../core/studio/uploads/receive.ts";
import { acceptWorkflow } from "../../core/studio/workflows/accept.ts";
import { advanceWorkflow } from "../../core/studio/workflows/advance.ts";
import { cancelWorkflow } from "../../core/studio/workflows/cancel.ts";
import { findWorkflow } from "../../core/studio/workflows/store.ts";
import type { Caller } from "../../proto/caller.ts";
import { AppError } from "../../proto/codes.ts";
import { askFor } from "../support/accept.ts";
import type { FakeClock } from "../support/clock.ts";
import { giveCredits } from "../support/credits.ts";
import { type Seen, type Step, tellFlow, tellJob, type Trace } from "./trace.ts";

const LEASE_MS = 15_000;
const PAST_QUEUE_MS = 25 * 3_600_000;
/** As in the model. */
const GRANT = 25;
const TUNE = { model_slug: "tune", modality: "audio" } as const;
const OUTCOMES: Readonly<Record<string, RunOutcome>> = {
  completed: { kind: "completed", outputs: [] },
  partial: { kind: "completed", outputs: [], delivered: { unit: "second", asked: 3, got: 1 } },
  failed: { kind: "failed", error: { code: "provider_failed", message: "It failed." } },
  cancelled: { kind: "cancelled" },
};

/** One account on a core with a clock that only this moves. */
export class Replay {
  readonly #app: JobsApp;
  readonly #clock: FakeClock;
  readonly #jobIds: string[] = [];
  /** By the number of the first job. */
  readonly #flowIds = new Map<number, string>();
  /** What workers remember, by worker and job. */
  readonly #claims = new Map<string, Claim>();
  #accountId = "";

  constructor(app: JobsApp, clock: FakeClock) {
    this.#app = app;
    this.#clock = clock;
  }

  /** The first difference from the trace; undefined if there is none. */
  async run(trace: Trace): Promise<string | undefined> {
    await this.#begin();
    for (const [i, { seen, ...step }] of trace.entries()) {
      const where = `step ${i + 1}, ${step.act} ${step.arg} of job ${step.job} by worker ${step.worker}`;
      const result = await this.#take(step).catch((error: unknown) => `threw ${String(error)}`);
      if (result !== step.result)
        return `${where}: the core says "${result}", and the model "${step.result}"`;
      const [stored, expected] = [await this.#see(), seen].map(linesOf);
      const at = stored?.findIndex((line, j) => line !== expected?.[j]) ?? 0;
      if (at >= 0) return `${where}: the core has "${stored?.[at]}", and the model "${expected?.[at]}"`;
    }
    return undefined;
  }

  async #begin(): Promise<void> {
    const app = this.#app;
    const names = ["accounts", "account_emails", "ledger", "jobs", "deliveries", "workflows"];
    await Promise.all(names.map((name) => app.mongo.db.collection(name).deleteMany({})));
    const email = `${app.newId("x")}@example.com`.toLowerCase();
    const { _id: accountId } = await createAccount(app, { email, name: "Customer", plan: "pro" });
    this.#accountId = accountId;
    await giveCredits(app, accountId, GRANT);
  }

  async #take(step: Step): Promise<string> {
    const { act, worker, job, arg } = step;
    const app = this.#app;
    const name = `worker-${worker}`;
    const accountId = this.#accountId;
    const jobId = this.#jobIds[job] ?? "";
    const flow = { accountId, workflowId: this.#flowIds.get(job) ?? "" };
    switch (act) {
      case "accept":
        return this.#accept(arg);
      case "acceptFlow":
        return this.#acceptFlow();
      case "claim": {
        const [claim] = this.#hold(
          worker,
          await claimJobs(app, { worker: name, limit: 1, leaseMs: LEASE_MS }),
        );
        return claim ? "claimed" : "none";
      }
      case "call":
        return "";
      case "finalize":
      case "repeat":
        return this.#finalize(step);
      case "cancel":
        return this.#unlessRefused(
          createCancelQueue(app)({ accountId, jobId }),
          "job_not_cancellable",
          step.result,
        );
      case "cancelFlow":
        return this.#unlessRefused(cancelWorkflow(app, flow), "workflow_not_cancellable", step.result);
      case "advance":
        await advanceWorkflow(app, flow);
        return "";
      case "pass":
        this.#clock.advance(arg === "long" ? PAST_QUEUE_MS : LEASE_MS);
        return "";
      case "sweep":
        await expireWaitingJobs(app);
        return "";
      case "rescue":
        this.#hold(worker, await rescueJobs(app, { worker: name, limit: 10, leaseMs: LEASE_MS }));
        return "";
      case "renew": {
        const until = new Date(this.#clock.now().getTime() + LEASE_MS);
        const own = this.#jobIds.filter((_, i) => this.#claims.has(`${worker} ${i}`));
        await extendLeases(app.mongo.db, name, own, until);
        return "";
      }
      case "crash":
        for (const i of this.#jobIds.keys()) this.#claims.delete(`${worker} ${i}`);
        return "";
      case "refund": {
        const refund = inTx(app, (tx) => actOnJobs(app, "refund", [{ id: jobId, accountId }], tx));
        return (await refund).verdicts[0]?.done ? "refunded" : "refused";
      }
      default:
        throw new Error(`the model does ${act}, which the core does not know`);
    }
  }

  get #caller(): Caller {
    return { kind: "account", accountId: this.#accountId, source: "app" };
  }

  async #accept(price: string): Promise<string> {
    const [accepted] = await acceptJobs(this.#app, [askFor(this.#caller, price === "5" ? TUNE : {})]);
    if (accepted?.status !== "fulfilled") return isRefused(accepted?.reason, "insufficient_credits");
    this.#jobIds.push(accepted.value.job._id);
    return "held";
  }

  async #acceptFlow(): Promise<string> {
    const app = this.#app;
    const picture = { id: "first", ...askFor(this.#caller).request };
    const tune = { ...picture, ...TUNE, id: "second", after: ["first"] };
    const asked = { caller: this.#caller, request: { steps: [picture, tune] }, idempotencyKey: null };
    try {
      const { workflow } = await acceptWorkflow(
        app,
        createUploadReceiver(app),
        asked,
        new AbortController().signal,
      );
      this.#flowIds.set(this.#jobIds.length, workflow._id);
      this.#jobIds.push(...workflow.steps.map(({ job_id }) => job_id));
      return "held";
    } catch (error) {
      return isRefused(error, "insufficient_credits");
    }
  }

  async #finalize({ act, worker, job, arg }: Step): Promise<string> {
    const [key, outcome] = [`${worker} ${job}`, OUTCOMES[arg]];
    const claim = this.#claims.get(key);
    if (!claim || !outcome) throw new Error(`worker ${worker} knows nothing of job ${job}`);
    const [sent] = await finalizeJobs(this.#app, [
      { claim, outcome, files: [], isRepeat: act === "repeat" },
    ]).catch((error: unknown) => [{ status: "rejected" as const, reason: error }]);
    if (sent?.status === "fulfilled") return act === "repeat" ? "known" : "ended";
    if (sent?.reason instanceof LostLease) return "lost";
    throw sent?.reason;
  }

  /** A request that changes nothing is answered like one that does: what is stored shows which it was. */
  async #unlessRefused(work: Promise<void>, code: string, expected: string): Promise<string> {
    try {
      await work;
      return expected === "refused" ? "done" : expected;
    } catch (error) {
      return isRefused(error, code);
    }
  }

  #hold(worker: number, claims: readonly Claim[]): readonly Claim[] {
    for (const claim of claims) this.#claims.set(`${worker} ${this.#jobIds.indexOf(claim.job._id)}`, claim);
    return claims;
  }

  async #read() {
    const { db } = this.#app.mongo;
    const [found, entries] = await Promise.all([
      jobs(db).find().sort({ _id: 1 }).toArray(),
      ledger(db).find().sort({ seq: 1 }).toArray(),
    ]);
    const entriesOf = ({ _id }: JobDoc) => entries.filter(({ job_id }) => job_id === _id);
    return { found, entriesOf };
  }

  async #see(): Promise<Seen> {
    const { db } = this.#app.mongo;
    const accountId = this.#accountId;
    const [{ found, entriesOf }, account, flows] = await Promise.all([
      this.#read(),
      accounts(db).findOne({ _id: accountId }),
      Promise.all(
        [...this.#flowIds.values()].map((workflowId) => findWorkflow(db, { accountId, workflowId })),
      ),
    ]);
    const now = this.#clock.now();
    return {
      books: `${account?.balance}/${account?.held}/${account?.ledger_seq}`,
      jobs: found.map((job) =>
        tellJob({
          state: isBlocked(job) ? "blocked" : job.state === "reserved" ? "waiting" : job.state,
          epoch: job.epoch,
          worker: Number(job.lease?.worker.replace("worker-", "")),
          lease: job.lease !== null && job.lease.until > now,
          wish: job.cancel_requested_at !== undefined,
          overdue: job.queue_deadline !== null && job.queue_deadline <= now,
          charged: job.refunded_at ? 0 : (job.charged ?? job.credits),
          events: job.events.map(({ type }) => type),
          entries: entriesOf(job),
        }),
      ),
      flows: flows.map((flow) =>
        tellFlow({ state: flow?.state ?? "gone", wish: flow?.cancel_requested_at !== undefined }),
      ),
    };
  }
}

function isRefused(error: unknown, code: string): string {
  if (error instanceof AppError && error.code === code) return "refused";
  throw error;
}

function linesOf({ books, jobs: ofJobs, flows }: Seen): string[] {
  return [books, `${ofJobs.length} jobs`, ...ofJobs, ...flows];
}
