// One fault under load: what its clients saw, how long nothing was accepted and nothing completed, and whether the books are right after it.
import { setTimeout as sleep } from "node:timers/promises";
import { type IdempotencyDoc, type JobDoc, jobs } from "../../core/studio/jobs/store.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import type { Fault } from "./faults.ts";
import { type Load, type Pace, type Sent, startLoad, type Try } from "./load.ts";
import { acceptTimes, checkOffered, nineTenthsSeconds, type Offered, perBin, perSecond } from "./rates.ts";
import type { Stage } from "./stage.ts";

export type Report = {
  readonly name: string;
  readonly requests: number;
  /** Answers other than 202 from the fault on, by status. */
  readonly errors: Record<string, number>;
  /** Answers 202 to what was sent while the fault lasted, before it was mended. */
  readonly acceptedDuringFault: number;
  /** From the fault to the first 202 for something that was sent after it; undefined when there was none. */
  readonly firstAcceptSeconds: number | undefined;
  /** Accepted in a second before the fault. */
  readonly beforePerSecond: number;
  /** From the fault until nine tenths of that are accepted again; undefined when that was not seen. */
  readonly nineTenthsSeconds: number | undefined;
  /** Accepted in each five seconds from the fault on. */
  readonly acceptsPerFiveSeconds: readonly number[];
  /** Of a fault whose load is offered at a rate. */
  readonly offered: Offered | undefined;
  /** From the fault to the end of the first job that somebody began to ask for after it. */
  readonly firstCompletedSeconds: number | undefined;
  /** The longest time from the fault on in which nobody was answered 202. */
  readonly longestPauseSeconds: number;
  readonly rescued: number;
  /** What is wrong afterwards; nothing, as promised. */
  readonly wrong: readonly string[];
};

const ACCOUNTS = 4;
const STEADY_REQUESTS = 20;
const STEADY_BOUND_MS = 120_000;
/** Seen for so long before the fault, and after it is mended. */
const BEFORE_MS = 5_000;
const AFTER_MS = 10_000;
/** More clients than group commits hold back: what they get is what the service bears. */
const FULL_LOAD: Pace = { clients: 32, pauseMs: 0 };
const FULL_LOAD_MS = 10_000;
const END_BOUND_MS = 120_000;
const ACCEPTED_BOUND_MS = 60_000;
const PROMPT = "takes 400 ms";
/** Workers do these at once, so that they do not limit how much is accepted. */
const QUICK_PROMPT = "at once";

export async function runFault(stage: Stage, fault: Fault, size: Pace): Promise<Report> {
  const offeredPerSecond = fault.isOffered && (await capacityOf(stage)) / 2;
  const customers = await stage.createKeys(ACCOUNTS);
  const accountIds = customers.map(({ accountId }) => accountId);
  const load = startLoad({
    url: stage.url,
    keys: customers.map(({ key }) => key),
    prompt: offeredPerSecond ? QUICK_PROMPT : PROMPT,
    pace: offeredPerSecond ? { perSecond: offeredPerSecond } : size,
  });
  await waitFor("steady load", () => isSteady(load), STEADY_BOUND_MS);
  await sleep(BEFORE_MS);

  const faultAtMs = performance.now();
  const faultAt = Date.now();
  const mend = await fault.strike(stage);
  const struckAtMs = performance.now();
  if (fault.lastsMs === "accepted")
    await waitFor("an accept under the fault", () => acceptedSince(load, struckAtMs) > 0, ACCEPTED_BOUND_MS);
  else await sleep(fault.lastsMs);
  const repairedAtMs = performance.now();
  await mend();
  await sleep(AFTER_MS);
  const endMs = performance.now();
  await load.stop();

  const made = await endedJobs(stage, accountIds);
  const accepted = acceptTimes(load.sent);
  const beforePerSecond = perSecond(accepted, faultAtMs - BEFORE_MS, faultAtMs);
  const tries = load.sent.flatMap((one) => one.tries);
  const after = tries.filter(({ sentAtMs, status }) => status === 202 && sentAtMs >= faultAtMs);
  const firstAccept = earliest(after.map(({ answeredAtMs }) => answeredAtMs));
  const begunAfter = load.sent.filter(({ tries: [first] }) => first && first.sentAtMs >= faultAtMs);
  const madeAfter = new Set(begunAfter.flatMap((one) => one.tries).map(({ jobId }) => jobId));
  const firstCompleted = earliest(
    made
      .filter(({ _id, state }) => state === "completed" && madeAfter.has(_id))
      .map(({ ended_at: at }) => at?.getTime() ?? Number.POSITIVE_INFINITY),
  );
  return {
    name: fault.name,
    requests: load.sent.length,
    errors: tally(tries.filter(({ answeredAtMs }) => answeredAtMs >= faultAtMs)),
    acceptedDuringFault: after.filter(({ answeredAtMs }) => answeredAtMs <= repairedAtMs).length,
    firstAcceptSeconds: firstAccept && (firstAccept - faultAtMs) / 1000,
    beforePerSecond,
    nineTenthsSeconds: nineTenthsSeconds(accepted, beforePerSecond, { faultAtMs, untilMs: endMs }),
    acceptsPerFiveSeconds: perBin(accepted, faultAtMs, endMs),
    offered: offeredPerSecond
      ? checkOffered(load.sent, { offeredPerSecond, faultAtMs, repairedAtMs })
      : undefined,
    firstCompletedSeconds: firstCompleted && (firstCompleted - faultAt) / 1000,
    longestPauseSeconds: longestPauseMs(tries, faultAtMs, endMs) / 1000,
    rescued: made.filter(({ rescues }) => rescues > 0).length,
    wrong: [...(await wrongKeys(stage, load.sent, made)), ...wrongEnds(made), ...(await stage.audit())],
  };
}

/** How many requests are accepted in a second while there are always more. */
async function capacityOf(stage: Stage): Promise<number> {
  const customers = await stage.createKeys(ACCOUNTS);
  const load = startLoad({
    url: stage.url,
    keys: customers.map(({ key }) => key),
    prompt: QUICK_PROMPT,
    pace: FULL_LOAD,
  });
  await waitFor("steady load", () => isSteady(load), STEADY_BOUND_MS);
  const beganMs = performance.now();
  await sleep(FULL_LOAD_MS);
  const endMs = performance.now();
  await load.stop();
  await endedJobs(
    stage,
    customers.map(({ accountId }) => accountId),
  );
  return perSecond(acceptTimes(load.sent), beganMs, endMs);
}

function acceptedSince({ sent }: Load, sinceMs: number): number {
  const tries = sent.flatMap((one) => one.tries);
  return tries.filter(({ sentAtMs, status }) => status === 202 && sentAtMs >= sinceMs).length;
}

/** The last requests were all accepted at the first try. */
function isSteady({ sent }: Load): boolean {
  const answered = sent.filter(({ tries }) => tries.length > 0).slice(-STEADY_REQUESTS);
  return answered.length === STEADY_REQUESTS && answered.every(({ tries }) => tries[0]?.status === 202);
}

async function endedJobs({ app }: Stage, accountIds: readonly string[]): Promise<JobDoc[]> {
  const own = { account_id: { $in: [...accountIds] } };
  const live = { ...own, state: { $in: ["reserved" as const, "running" as const] } };
  await waitFor(
    "every job to end",
    async () => (await jobs(app.mongo.db).countDocuments(live)) === 0,
    END_BOUND_MS,
  );
  return jobs(app.mongo.db).find(own).toArray();
}

/** Each key that was accepted is exactly one job, the one that its client was told of, and there is no job beside them. */
async function wrongKeys({ app }: Stage, sent: readonly Sent[], made: readonly JobDoc[]): Promise<string[]> {
  const ids = made.map(({ _id }) => _id);
  const keys = await app.mongo.db
    .collection<IdempotencyDoc>("idempotency_keys")
    .find({ job_id: { $in: ids } })
    .toArray();
  const jobOf = new Map(
    keys.map(({ _id, account_id, job_id }) => [_id.slice(account_id.length + 1), job_id]),
  );
  const wrong = [];
  for (const { idempotencyKey, tries } of sent) {
    const told = new Set(tries.filter(({ status }) => status === 202).map(({ jobId }) => jobId));
    if (told.size !== 1) wrong.push(`${idempotencyKey} was told of ${told.size} jobs`);
    else if (!told.has(jobOf.get(idempotencyKey))) wrong.push(`the job of ${idempotencyKey} is not there`);
  }
  if (made.length !== sent.length) wrong.push(`${sent.length} requests made ${made.length} jobs`);
  return wrong;
}

function wrongEnds(made: readonly JobDoc[]): string[] {
  return made
    .filter(({ state }) => state !== "completed")
    .map(({ _id, state, error }) => `${_id} is ${state}: ${error?.code ?? "no error"}`);
}

function tally(tries: readonly Try[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of tries) if (status !== 202) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function earliest(times: readonly number[]): number | undefined {
  return times.length > 0 ? Math.min(...times) : undefined;
}

function longestPauseMs(tries: readonly Try[], fromMs: number, untilMs: number): number {
  const accepted = tries
    .filter(({ status }) => status === 202)
    .map(({ answeredAtMs }) => answeredAtMs)
    .filter((atMs) => atMs >= fromMs && atMs <= untilMs)
    .sort((a, b) => a - b);
  const marks = [fromMs, ...accepted, untilMs];
  return Math.max(...marks.slice(1).map((atMs, i) => atMs - (marks[i] ?? atMs)));
}
