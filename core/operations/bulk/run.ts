// Carries out what a dry run has recorded, a part at a time: the act, its entries on the audit trail and the part's result in one
// transaction. If it is killed at any moment and run again, it continues where it was.
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { statusesOf } from "../../identity/accounts/look-up.ts";
import { trailRow, writeTrails } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import type { Call } from "../../kernel/rpc.ts";
import { actOnJobs } from "../../studio/jobs/act-on-many.ts";
import { whyLeft } from "../../studio/jobs/act-rules.ts";
import { findAnyJobs } from "../../studio/jobs/get.ts";
import { type Accepting, retryJob } from "../../studio/jobs/retry.ts";
import { actOnDead } from "../../studio/webhooks/dead.ts";
import { type Act, countLeft, isDeliveryAct, type LeftCount, METHODS, type Why } from "./acts.ts";
import {
  type BulkDoc,
  findBulk,
  findBulks,
  findNextPart,
  findResults,
  type Item,
  type PartDoc,
  type Result,
  saveEnded,
  savePartEnded,
  saveStarted,
} from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A dry run that no one has acted on by then must be repeated, because the data have changed. */
const VALID_MS = DAY_MS;
/** Longer than accepting a job that fetches its files takes. */
const RETRY_MS = 60_000;

export type Running = {
  readonly bulk: BulkDoc;
  /** The sum of all runs so far. */
  readonly result: Result;
  /** What this run has left to the next. */
  readonly later: readonly LeftCount[];
};

/** The outcome for one thing. */
type Verdict =
  | { readonly id: string; readonly done: true; readonly credits: number; readonly detail: string }
  | {
      readonly id: string;
      readonly done: false;
      readonly why: Why;
      /** The next run tries it again. */
      readonly isPassing?: boolean;
    };

/**
 * Returns the bulk that may be run now with this act. Throws not_found, and invalid_request for another act and for a dry run of more than
 * a day ago on which no one has acted.
 */
export async function findRunnable(app: App, bulkId: string, act: string): Promise<BulkDoc> {
  const bulk = await getBulk(app, bulkId);
  const refuse = (message: string) => invalidField("bulk_id", message);
  if (bulk.act !== act) throw refuse(`is a dry run of ${bulk.act}, and not of ${act}`);
  if (!bulk.started_at && app.clock.now().getTime() - bulk.created_at.getTime() > VALID_MS)
    throw refuse("is a dry run of more than a day ago: make it again");
  return bulk;
}

/** Throws not_found. */
export async function getBulk(app: Pick<App, "mongo">, bulkId: string): Promise<BulkDoc> {
  const bulk = await findBulk(app.mongo.db, bulkId);
  if (bulk) return bulk;
  throw new AppError("not_found", {
    message: "There is no such bulk.",
    hint: "A dry run prints the id of one; they are kept for 30 days.",
  });
}

/** What has been done so far. */
export async function resultOf(app: Pick<App, "mongo">, bulkId: string): Promise<Result> {
  return add(await findResults(app.mongo.db, bulkId));
}

/** Reports each part that was done, and at the end the whole. Ends early when no one listens any more. */
export async function* runBulk(
  app: App,
  accepting: Accepting,
  { bulk: planned, perSecond, call }: { bulk: BulkDoc; perSecond: number; call: Call },
): AsyncGenerator<Running> {
  const { db } = app.mongo;
  await saveStarted(db, planned._id, app.clock.now());
  const bulk = await getBulk(app, planned._id);
  let result = await resultOf(app, bulk._id);
  let later: readonly LeftCount[] = [];
  let last = bulk._id;
  for (;;) {
    const part = await findNextPart(db, bulk._id, last);
    if (!part) break;
    last = part._id;
    const beganMs = performance.now();
    const done = await doPart(app, accepting, { bulk, part, call });
    // Another run of the same bulk was faster.
    result = done ? add([result, done.result]) : await resultOf(app, bulk._id);
    later = countLeft([...later, ...(done?.later ?? [])]);
    yield { bulk, result, later };
    const waitMs = (part.items.length / perSecond) * 1000 - (performance.now() - beganMs);
    await sleep(Math.max(0, waitMs), undefined, { signal: call.signal }).catch(() => {});
    if (call.signal.aborted) return;
  }
  const isWhole = (await findNextPart(db, bulk._id, bulk._id)) === null;
  if (isWhole) await saveEnded(db, bulk._id, app.clock.now());
  yield { bulk: await getBulk(app, bulk._id), result: await resultOf(app, bulk._id), later };
}

type Work = { readonly bulk: BulkDoc; readonly part: PartDoc; readonly call: Call };

/** Returns undefined if another run has done this part. */
async function doPart(
  app: App,
  accepting: Accepting,
  work: Work,
): Promise<Pick<Running, "result" | "later"> | undefined> {
  const { bulk, part } = work;
  // This happens before the transaction, which may be repeated.
  const trailIds = part.items.map(() => app.newId("adm"));
  const triedId = `${part._id} ${app.newId("adm")}`;
  const doing = bulk.act === "retry" ? { retried: await retryAll(app, accepting, work) } : { act: bulk.act };
  let announce = () => {};
  try {
    const done = await inTx(app, async (tx) => {
      const all: readonly Verdict[] = "retried" in doing ? doing.retried : await act(doing.act, tx);
      const passing = all.filter((verdict) => !verdict.done && verdict.isPassing);
      const verdicts = all.filter((verdict) => !passing.includes(verdict));
      const result = countVerdicts(verdicts);
      const rest = part.items.filter(({ id }) => passing.some((one) => one.id === id));
      const ended = { _id: triedId, at: tx.now, result, rest };
      if (!(await savePartEnded(app.mongo.db, part, ended, tx))) throw new DoneByAnother();
      const rows = verdicts.flatMap((verdict, i) =>
        verdict.done
          ? [{ ...trailOf(work, verdict), _id: trailIds[i] ?? "", at: tx.now, outcome: "done" }]
          : [],
      );
      await writeTrails(app, rows, tx);
      return { result, later: countVerdicts(passing).left };
    });
    announce();
    return done;
  } catch (error) {
    if (error instanceof DoneByAnother) return undefined;
    throw error;
  }

  async function act(which: Exclude<Act, "retry">, tx: TxContext): Promise<readonly Verdict[]> {
    const wanted = part.items.map(({ id, account_id: accountId }) => ({ id, accountId }));
    const ids = part.items.map(({ id }) => id);
    const acted = isDeliveryAct(which)
      ? await actOnDead(app, which, ids, tx)
      : await actOnJobs(app, which, wanted, tx);
    ({ announce } = acted);
    return acted.verdicts;
  }
}

class DoneByAnother extends Error {
  override readonly name = "DoneByAnother";
}

/**
 * Each is made in its own transaction, at most once by its Idempotency-Key; a run that was killed in between finds what it had made. An
 * account's jobs with files follow one another, because it may fetch few files at a time.
 */
async function retryAll(app: App, accepting: Accepting, { bulk, part, call }: Work): Promise<Verdict[]> {
  const begun = bulk.started_at ?? bulk.created_at;
  const jobs = await findAnyJobs(
    app,
    part.items.map(({ id }) => id),
  );
  const statuses = await statusesOf(app, [...new Set(part.items.map(({ account_id: id }) => id))]);
  const deadline = {
    untilMs: performance.now() + RETRY_MS,
    signal: AbortSignal.any([call.signal, AbortSignal.timeout(RETRY_MS)]),
  };
  const retryOne = async ({ id }: Item): Promise<Verdict> => {
    const job = jobs.get(id);
    if (!job) return { id, done: false, why: "gone" };
    const account = statuses.get(job.account_id) ?? "deleted";
    const why = whyLeft("retry", job, { account, provider: undefined });
    if (why) return { id, done: false, why };
    const retried = await retryJob(app, accepting, job, { begun, deadline });
    if (!retried.done) return { id, ...retried };
    const { _id, credits } = retried.job;
    return { id, done: true, credits, detail: `as ${_id}, ${credits} credits of ${job.account_id}` };
  };
  const queues = Map.groupBy(part.items, ({ id, account_id }) => (jobs.get(id)?.inputs ? account_id : id));
  const verdicts = [...queues.values()].map((queue) => Array.fromAsync(queue, retryOne));
  return (await Promise.all(verdicts)).flat();
}

function trailOf({ bulk, call }: Work, { id, detail }: { id: string; detail: string }) {
  return trailRow(call, { what: METHODS[bulk.act], target: id, detail, bulk: bulk._id });
}

function countVerdicts(verdicts: readonly Verdict[]): Result {
  const done = verdicts.filter((verdict) => verdict.done);
  return {
    acted: done.length,
    credits: done.reduce((sum, { credits }) => sum + credits, 0),
    left: countLeft(verdicts.flatMap((verdict) => (verdict.done ? [] : [{ why: verdict.why, count: 1 }]))),
  };
}

function add(results: readonly Result[]): Result {
  return {
    acted: results.reduce((sum, { acted }) => sum + acted, 0),
    credits: results.reduce((sum, { credits }) => sum + credits, 0),
    left: countLeft(results.flatMap(({ left }) => left)),
  };
}

/** Newest first. Throws invalid_request naming the parameter. */
export async function listBulks({ mongo }: Pick<App, "mongo">, request: PageRequest): Promise<Page<BulkDoc>> {
  return pageById(request, (beforeId, limit) => findBulks(mongo.db, beforeId, limit));
}
